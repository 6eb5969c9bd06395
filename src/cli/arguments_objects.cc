#include <tuple>

#include "cli/command_line.h"

namespace portico::cli {

void add_objects(CLI::App& root, Command& chosen) {
  CLI::App* app = nullptr;
  {
    auto o = command(root, chosen, app, "init", "Make a state folder", run_init,
                     "  portico init\n  portico init fleet");
    app->add_option("dir", o->dir, "Folder that gets the state folder .portico")
        ->capture_default_str();
  }
  {
    auto o = command(root, chosen, app, "apply", "Create or update objects", run_apply,
                     "  portico apply -f fleet/ --wait\n  portico apply -f fleet/ --dry-run\n"
                     "  portico apply -f set.yaml --confirm-deletions --wait\n"
                     "  portico apply -k overlays/prod --prune --applyset fleet --wait\n"
                     "  cat set.yaml | portico apply -f -");
    app->add_option("-f,--filename", o->files, "File, folder, or - for standard input");
    app->add_option("-k,--kustomize", o->kustomizations,
                    "Folder with a kustomization, which kustomize or kubectl builds");
    app->add_option("-l,--selector", o->selector,
                    "Only the objects of the files that have these labels");
    app->add_flag("--prune", o->prune,
                  "Delete what was applied before under the same --applyset and is not wanted now");
    app->add_option("--applyset", o->applyset,
                    "Name of the set of objects that is applied; its Secret remembers the kinds");
    app->add_flag("--define", o->define,
                  "Make a CustomResourceDefinition that takes everything for each kind that has "
                  "none");
    CLI::Option* dry =
        app->add_flag("--dry-run", o->dry_run, "Say what would change; store nothing");
    app->add_flag("--confirm-deletions", o->confirm_deletions,
                  "The sets among the objects may delete the variants that they hold back");
    add_wait(*app, o->wait)->excludes(dry);
  }
  {
    auto o =
        command(root, chosen, app, "get", "List objects", run_get,
                "  portico get pv\n  portico get repositories -l env=prod -o wide\n"
                "  portico get pvs edge-clusters -o yaml\n"
                "  portico get pv/web-edge01 rpkg/edge01.web.v1\n"
                "  portico get rpkg --field-selector spec.lifecycle=Draft --sort-by "
                ".metadata.creationTimestamp\n"
                "  portico get pv -o custom-columns=NAME:.metadata.name,TO:.spec.downstream.repo\n"
                "  portico get pv -w --timeout 10m");
    app->add_option("type", o->type,
                    "repositories, packagevariants (pv), packagevariantsets (pvs), "
                    "packagerevisions (rpkg), or any other kind that is stored; several with "
                    "commas; or TYPE/NAME for each object");
    app->add_option("names", o->names, "Only these");
    app->add_option("-f,--filename", o->files, "The objects of these files, as they are stored");
    add_output(*app, o->output);
    app->add_option("-l,--selector", o->selector, "Label selector: a=b,c!=d,e in (f,g)");
    app->add_option("--field-selector", o->fields, "Values of fields: spec.lifecycle=Draft,a.b!=c");
    add_listing(*app, *o);
    app->add_flag(
        "-w,--watch", o->watch,
        "Go on with what changes, until it is stopped or --timeout is over: what a server "
        "or portico serve does");
  }
  {
    auto o = command(root, chosen, app, "describe", "Show objects in words", run_describe,
                     "  portico describe pv edge-clusters-mgmt-edge01");
    app->add_option("type", o->type, "As for get")->required();
    app->add_option("names", o->names, "Only these");
    app->add_option("-l,--selector", o->selector, "Label selector, instead of names");
  }
  for (const auto& [name, run, what] : {std::tuple("label", &run_label, "labels"),
                                        std::tuple("annotate", &run_annotate, "annotations")}) {
    auto o =
        command(root, chosen, app, name, fmt::format("Set and remove {} of objects", what), run,
                fmt::format("  portico {} rpkg edge01.web.v2 team=edge\n"
                            "  portico {} pv -l team=edge team-",
                            name, name));
    app->add_option("type", o->type, "As for get")->required();
    app->add_option("words", o->words, "Names of objects, then KEY=VALUE, or KEY- to remove it")
        ->required();
    app->add_option("-l,--selector", o->selector, "All with these labels, instead of names");
    app->add_flag("--all", o->all, "All of the namespace");
    app->add_flag("--overwrite", o->overwrite, "Change what has another value already");
    add_wait(*app, o->wait);
  }
  {
    auto o = command(root, chosen, app, "delete", "Delete objects", run_delete,
                     "  portico delete pv web-edge01\n  portico delete pv -l team=edge --dry-run\n"
                     "  portico delete -f fleet/");
    app->add_option("type", o->type, "As for get");
    app->add_option("names", o->names, "Which");
    app->add_option("-f,--filename", o->files, "The objects of these files");
    app->add_option("-l,--selector", o->selector, "Label selector, instead of names");
    app->add_flag("--all", o->all, "All of the namespace");
    app->add_flag("--ignore-not-found", o->ignore_not_found, "What is gone already is no error");
    app->add_flag("--dry-run", o->dry_run,
                  "Say what would be deleted, and what becomes of the packages; delete nothing");
    app->add_flag("--force", o->force, "Also a Repository that variants or sets use");
    app->add_flag("-y,--yes", o->yes, "On a terminal, do not ask about what packages go with");
    add_wait(*app, o->wait);
  }
}

void add_repo(CLI::App& root, Command& chosen) {
  CLI::App* repo = root.add_subcommand("repo", "Repositories of packages");
  repo->alias("repository");
  repo->require_subcommand(1);
  CLI::App* app = nullptr;
  {
    auto o = command(*repo, chosen, app, "register", "Register a git repository", run_repo_register,
                     "  portico repo register /srv/git/blueprints.git\n"
                     "  portico repo register https://git.example.com/edge01.git --deployment "
                     "--label region=us-east1\n"
                     "  portico repo register https://git.example.com/edge02.git --deployment "
                     "--repo-basic-username robot --repo-basic-password \"$TOKEN\"\n"
                     "  portico repo register git@git.example.com:team/web.git --branch trunk "
                     "--directory packages --no-check");
    app->alias("reg");
    app->add_option("url", o->url, "Path, file://, https:// or ssh URL")->required();
    app->add_option("--name", o->name, "Name; the last part of the URL");
    app->add_option("--description", o->description, "Description");
    app->add_option("--branch", o->branch, "Branch")->capture_default_str();
    app->add_option("--directory", o->directory, "Folder below which packages are");
    app->add_option("--label", o->labels, "key=value, for selectors");
    app->add_flag("--deployment", o->deployment, "Packages here are deployed");
    app->add_flag("--create-branch", o->create_branch, "Make the branch when it is missing");
    app->add_option("--sync-schedule", o->sync_schedule,
                    "When serve looks for changes made by others: \"0 */2 * * *\", UTC");
    app->add_flag("--no-check", o->no_check,
                  "Do not look first whether address, branch and login are right");
    CLI::Option* const secret =
        app->add_option("--secret", o->secret, "Secret of the namespace with the login or token");
    CLI::Option* const user =
        app->add_option(
               "--repo-basic-username", o->username,
               "User name for the repository; kept with the password in a Secret NAME-auth")
            ->excludes(secret);
    app->add_option("--repo-basic-password", o->password,
                    "Its password or token; others on this machine may see it in the command line")
        ->excludes(secret)
        ->needs(user);
    add_wait(*app, o->wait);
  }
  {
    auto o = command(*repo, chosen, app, "list", "List repositories", run_get,
                     "  portico repo list -o wide");
    app->alias("get")->alias("ls");
    o->type = "repositories";
    app->add_option("names", o->names, "Only these");
    add_output(*app, o->output);
    app->add_option("-l,--selector", o->selector, "Label selector");
    add_listing(*app, *o);
  }
  {
    auto o = command(*repo, chosen, app, "sync", "Look for changes made by others", run_repo_sync,
                     "  portico repo sync blueprints\n  portico repo sync --all --wait");
    app->add_option("names", o->names, "Which");
    app->add_flag("--all", o->all, "All of the namespace");
    add_name_output(*app, o->output);
    add_wait(*app, o->wait);
  }
  {
    auto o =
        command(*repo, chosen, app, "unregister", "Forget a repository; git stays as it is",
                run_repo_unregister,
                "  portico repo unregister edge01 --dry-run\n  portico repo unregister edge01\n"
                "  portico repo unregister edge01 edge02 --yes --force");
    app->alias("unreg");
    app->add_option("names", o->names, "Which")->required();
    app->add_flag("--force", o->force, "Also one that variants or sets use");
    app->add_flag("-y,--yes", o->yes, "On a terminal, do not ask");
    app->add_flag("--dry-run", o->dry_run,
                  "Say who uses it, and what would come of it; forget nothing");
    app->add_flag("--keep-auth-secret", o->keep_secret,
                  "Keep the Secret NAME-auth that register has made");
    add_wait(*app, o->wait);
  }
}

}  // namespace portico::cli
