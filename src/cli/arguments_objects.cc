#include <tuple>

#include "cli/command_line.h"

namespace portico::cli {

void add_objects(CLI::App& root, Command& chosen) {
  CLI::App* app = nullptr;
  {
    auto o = command(root, chosen, app, "init", "Create a state folder", run_init,
                     "  portico init\n  portico init fleet");
    app->add_option("dir", o->dir, "Folder in which .portico is created")->capture_default_str();
  }
  {
    auto o = command(root, chosen, app, "apply", "Create or update objects", run_apply,
                     "  portico apply -f fleet/ --wait\n  portico apply -f fleet/ --dry-run\n"
                     "  portico apply -f set.yaml --confirm-deletions --wait\n"
                     "  portico apply -k overlays/prod --prune --applyset fleet --wait\n"
                     "  cat set.yaml | portico apply -f -");
    app->add_option("-f,--filename", o->files, "File, folder, or - for standard input");
    app->add_option("-k,--kustomize", o->kustomizations,
                    "Folder with a kustomization; needs kustomize or kubectl to build it");
    app->add_option("-l,--selector", o->selector, "Apply only the objects with these labels");
    app->add_flag("--prune", o->prune,
                  "Delete objects that were applied before with the same --applyset and are no "
                  "longer in the files");
    app->add_option("--applyset", o->applyset,
                    "Name of the ApplySet; a Secret of this name is its parent object");
    app->add_flag("--define", o->define,
                  "Create a CustomResourceDefinition without a schema for each kind that has none");
    CLI::Option* dry =
        app->add_flag("--dry-run", o->dry_run, "Print what would change; store nothing");
    app->add_flag("--confirm-deletions", o->confirm_deletions,
                  "Allow the sets in the files to delete the variants that they hold back");
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
    app->add_option(
        "type", o->type,
        "repositories, packagevariants (pv), packagevariantsets (pvs), packagerevisions (rpkg) or "
        "any other stored kind; several separated by commas; or TYPE/NAME for each object");
    app->add_option("names", o->names, "Show only these");
    app->add_option("-f,--filename", o->files,
                    "Files that name the objects; shown as they are stored");
    add_output(*app, o->output);
    app->add_option("-l,--selector", o->selector, "Label selector: a=b,c!=d,e in (f,g)");
    app->add_option("--field-selector", o->fields, "Field selector: spec.lifecycle=Draft,a.b!=c");
    add_listing(*app, *o);
    app->add_flag("-w,--watch", o->watch,
                  "After the list, print changes until interrupted or until --timeout (changes are "
                  "made by a server or portico serve)");
  }
  {
    auto o = command(root, chosen, app, "describe", "Show details of objects", run_describe,
                     "  portico describe pv edge-clusters-mgmt-edge01");
    app->add_option("type", o->type, "Type, as for get")->required();
    app->add_option("names", o->names, "Show only these");
    app->add_option("-l,--selector", o->selector, "Label selector, in place of names");
  }
  for (const auto& [name, run, what] : {std::tuple("label", &run_label, "labels"),
                                        std::tuple("annotate", &run_annotate, "annotations")}) {
    auto o =
        command(root, chosen, app, name, fmt::format("Set and remove {} of objects", what), run,
                fmt::format("  portico {} rpkg edge01.web.v2 team=edge\n"
                            "  portico {} pv -l team=edge team-",
                            name, name));
    app->add_option("type", o->type, "Type, as for get")->required();
    app->add_option("words", o->words, "Names of objects, then KEY=VALUE to set, or KEY- to remove")
        ->required();
    app->add_option("-l,--selector", o->selector, "Label selector, in place of names");
    app->add_flag("--all", o->all, "All objects in the namespace");
    app->add_flag("--overwrite", o->overwrite, "Replace existing values");
    add_wait(*app, o->wait);
  }
  {
    auto o = command(root, chosen, app, "delete", "Delete objects", run_delete,
                     "  portico delete pv web-edge01\n  portico delete pv -l team=edge --dry-run\n"
                     "  portico delete -f fleet/");
    app->add_option("type", o->type, "Type, as for get");
    app->add_option("names", o->names, "Names");
    app->add_option("-f,--filename", o->files, "Files that name the objects");
    app->add_option("-l,--selector", o->selector, "Label selector, in place of names");
    app->add_flag("--all", o->all, "All objects in the namespace");
    app->add_flag("--ignore-not-found", o->ignore_not_found,
                  "Do not fail for objects that do not exist");
    app->add_flag("--dry-run", o->dry_run,
                  "Print what would be deleted, and what happens to the packages; delete nothing");
    app->add_flag("--force", o->force, "Also delete a Repository that variants or sets use");
    app->add_flag("-y,--yes", o->yes, "Do not ask for confirmation");
    add_wait(*app, o->wait);
  }
}

void add_repo(CLI::App& root, Command& chosen) {
  CLI::App* repo = root.add_subcommand("repo", "Manage repositories of packages");
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
    app->add_option("url", o->url, "Path, or file://, https:// or ssh URL")->required();
    app->add_option("--name", o->name, "Name (default: the last part of the URL)");
    app->add_option("--description", o->description, "Description");
    app->add_option("--branch", o->branch, "Branch")->capture_default_str();
    app->add_option("--directory", o->directory,
                    "Folder of the repository that contains the packages");
    app->add_option("--label", o->labels, "Label key=value; can be repeated");
    app->add_flag("--deployment", o->deployment,
                  "Deployment repository: its packages are deployed to clusters");
    app->add_flag("--create-branch", o->create_branch, "Create the branch if it does not exist");
    app->add_option("--sync-schedule", o->sync_schedule,
                    "Cron schedule (UTC) on which serve polls for changes that were made outside "
                    "Portico: \"0 */2 * * *\"");
    app->add_flag("--no-check", o->no_check, "Do not check the URL, branch and credentials first");
    CLI::Option* const secret = app->add_option(
        "--secret", o->secret, "Secret of the namespace that holds the credentials");
    CLI::Option* const user =
        app->add_option(
               "--repo-basic-username", o->username,
               "User name for the repository; stored with the password in the Secret NAME-auth")
            ->excludes(secret);
    app->add_option("--repo-basic-password", o->password,
                    "Password or token; visible to other users of this machine in the process list")
        ->excludes(secret)
        ->needs(user);
    add_wait(*app, o->wait);
  }
  {
    auto o = command(*repo, chosen, app, "list", "List repositories", run_get,
                     "  portico repo list -o wide");
    app->alias("get")->alias("ls");
    o->type = "repositories";
    app->add_option("names", o->names, "Show only these");
    add_output(*app, o->output);
    app->add_option("-l,--selector", o->selector, "Label selector");
    add_listing(*app, *o);
  }
  {
    auto o = command(*repo, chosen, app, "sync",
                     "Poll repositories for changes that were made outside Portico", run_repo_sync,
                     "  portico repo sync blueprints\n  portico repo sync --all --wait");
    app->add_option("names", o->names, "Names");
    app->add_flag("--all", o->all, "All objects in the namespace");
    add_name_output(*app, o->output);
    add_wait(*app, o->wait);
  }
  {
    auto o =
        command(*repo, chosen, app, "unregister",
                "Unregister a repository; the git repository is not changed", run_repo_unregister,
                "  portico repo unregister edge01 --dry-run\n  portico repo unregister edge01\n"
                "  portico repo unregister edge01 edge02 --yes --force");
    app->alias("unreg");
    app->add_option("names", o->names, "Names")->required();
    app->add_flag("--force", o->force, "Also unregister a repository that variants or sets use");
    app->add_flag("-y,--yes", o->yes, "Do not ask for confirmation");
    app->add_flag("--dry-run", o->dry_run,
                  "Print which variants and sets use it, and what would happen; change nothing");
    app->add_flag("--keep-auth-secret", o->keep_secret,
                  "Keep the Secret NAME-auth that register created");
    add_wait(*app, o->wait);
  }
}

}  // namespace portico::cli
