#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>

#include "cli/commands.h"
#include "merge/on_conflict.h"

namespace portico::cli {
namespace {

// One subcommand: its options live in a struct that its closure keeps.
template <class Options>
std::shared_ptr<Options> command(CLI::App& parent, Command& chosen, CLI::App*& app,
                                 const std::string& name, const std::string& description,
                                 Result<Exit> (*run)(const Options&, Context&),
                                 const std::string& examples) {
  auto options = std::make_shared<Options>();
  app = parent.add_subcommand(name, description);
  if (!examples.empty()) app->footer("Examples:\n" + examples);
  app->callback([&chosen, options, run] {
    chosen = [options, run](Context& context) { return run(*options, context); };
  });
  return options;
}

CLI::Option* add_wait(CLI::App& app, WaitOptions& wait) {
  return app.add_flag("--wait,!--no-wait", wait.wait,
                      "Run the controllers until nothing is left to do");
}

void add_output(CLI::App& app, std::string& output) {
  app.add_option("-o,--output", output, "wide, yaml, json or name");
}

// The words of spec.onConflict. `pkg update` had others before 1.0; they are still understood.
void add_on_conflict(CLI::App& app, std::string& policy) {
  const CLI::Validator words(
      [](std::string& word) -> std::string {
        if (word == "upstream") word = "takeUpstream";
        if (word == "local") word = "keepLocal";
        const auto parsed = merge::parse_on_conflict(word);
        return parsed ? "" : parsed.error().text();
      },
      "{takeUpstream,keepLocal,fail}");
  auto* option =
      app.add_option("--on-conflict", policy,
                     "Whose change is taken where both sides changed a thing; fail: change nothing")
          ->transform(words);
  if (!policy.empty()) option->capture_default_str();
}

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
                     "  cat set.yaml | portico apply -f -");
    app->add_option("-f,--filename", o->files, "File, folder, or - for standard input")->required();
    CLI::Option* dry =
        app->add_flag("--dry-run", o->dry_run, "Say what would change; store nothing");
    app->add_flag("--confirm-deletions", o->confirm_deletions,
                  "The sets among the objects may delete the variants that they hold back");
    add_wait(*app, o->wait)->excludes(dry);
  }
  {
    auto o = command(root, chosen, app, "get", "List objects", run_get,
                     "  portico get pv\n  portico get repositories -l env=prod -o wide\n"
                     "  portico get pvs edge-clusters -o yaml");
    app->add_option("type", o->type,
                    "repositories, packagevariants (pv), packagevariantsets (pvs), "
                    "packagerevisions (rpkg), or any other kind that is stored")
        ->required();
    app->add_option("names", o->names, "Only these");
    add_output(*app, o->output);
    app->add_option("-l,--selector", o->selector, "Label selector: a=b,c!=d,e in (f,g)");
    app->add_flag("-A,--all-namespaces", o->all_namespaces, "Of every namespace");
    app->add_flag("--no-headers", o->no_headers, "Without the head line");
  }
  {
    auto o = command(root, chosen, app, "describe", "Show objects in words", run_describe,
                     "  portico describe pv edge-clusters-mgmt-edge01");
    app->add_option("type", o->type, "As for get")->required();
    app->add_option("names", o->names, "Only these");
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
    app->add_flag("--ignore-not-found", o->ignore_not_found, "What is gone already is no error");
    app->add_flag("--dry-run", o->dry_run,
                  "Say what would be deleted, and what becomes of the packages; delete nothing");
    app->add_flag("--force", o->force, "Also a Repository that variants or sets use");
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
                     "--label region=us-east1");
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
    app->add_option("--secret", o->secret, "Secret of the namespace with the login or token");
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
    app->add_flag("-A,--all-namespaces", o->all_namespaces, "Of every namespace");
    app->add_flag("--no-headers", o->no_headers, "Without the head line");
  }
  {
    auto o = command(*repo, chosen, app, "sync", "Look for changes made by others", run_repo_sync,
                     "  portico repo sync blueprints\n  portico repo sync --all --wait");
    app->add_option("names", o->names, "Which");
    app->add_flag("--all", o->all, "All of the namespace");
    add_wait(*app, o->wait);
  }
  {
    auto o =
        command(*repo, chosen, app, "unregister", "Forget a repository; git stays as it is",
                run_repo_unregister,
                "  portico repo unregister edge01 --dry-run\n  portico repo unregister edge01");
    app->alias("unreg");
    app->add_option("names", o->names, "Which")->required();
    app->add_flag("--force", o->force, "Also one that variants or sets use");
    app->add_flag("--dry-run", o->dry_run,
                  "Say who uses it, and what would come of it; forget nothing");
    add_wait(*app, o->wait);
  }
}

void add_lifecycle(CLI::App& rpkg, Command& chosen, const std::string& verb,
                   const std::string& alias, const std::string& description) {
  CLI::App* app = nullptr;
  auto o = command(rpkg, chosen, app, verb, description, run_rpkg_lifecycle,
                   "  portico rpkg " + verb + " edge01.web.packagevariant-1\n  portico rpkg " +
                       verb + " --set web");
  if (!alias.empty()) app->alias(alias);
  o->verb = verb;
  app->add_option("names", o->names, "Package revisions");
  app->add_option("-l,--selector", o->selector, "Label selector");
  app->add_option("--set", o->variants_of, "Of all variants of this PackageVariantSet");
  if (verb == "delete")
    app->add_flag("--ignore-not-found", o->ignore_not_found, "What is gone already is no error");
  add_wait(*app, o->wait);
}

void add_rpkg(CLI::App& root, Command& chosen) {
  CLI::App* rpkg = root.add_subcommand("rpkg", "Package revisions");
  rpkg->alias("rpackage");
  rpkg->require_subcommand(1);
  CLI::App* app = nullptr;
  {
    auto o = command(*rpkg, chosen, app, "get", "List package revisions", run_rpkg_get,
                     "  portico rpkg get --repository edge01\n"
                     "  portico rpkg get --lifecycle Proposed");
    app->alias("list");
    app->add_option("names", o->names, "Only these");
    app->add_option("--name", o->package, "Of this package");
    app->add_option("--repository", o->repository, "Of this repository");
    app->add_option("--revision", o->revision, "With this revision number");
    app->add_option("--workspace", o->workspace, "With this workspace name");
    app->add_option("--lifecycle", o->lifecycle, "Draft, Proposed, Published, DeletionProposed");
    app->add_option("-l,--selector", o->selector, "Label selector");
    add_output(*app, o->output);
    app->add_flag("-A,--all-namespaces", o->all_namespaces, "Of every namespace");
    app->add_flag("--no-headers", o->no_headers, "Without the head line");
  }
  {
    auto o = command(*rpkg, chosen, app, "init", "Draft a new package", run_rpkg_init,
                     "  portico rpkg init web --repository blueprints --workspace v1");
    app->add_option("package", o->package, "Package name or path")->required();
    app->add_option("--repository", o->repository, "Repository")->required();
    app->add_option("--workspace", o->workspace, "Workspace name")->required();
    app->add_option("--description", o->description, "Description");
    app->add_option("--keywords", o->keywords, "Keywords")->delimiter(',');
    app->add_option("--site", o->site, "Web page");
  }
  {
    auto o =
        command(*rpkg, chosen, app, "clone", "Draft a package from another one", run_rpkg_clone,
                "  portico rpkg clone blueprints.web.v1 web --repository edge01");
    app->add_option("source", o->source, "Package revision")->required();
    app->add_option("package", o->package, "New package's name")->required();
    app->add_option("--repository", o->repository, "Repository of the new package")->required();
    app->add_option("--workspace", o->workspace, "Workspace name")->capture_default_str();
  }
  {
    auto o = command(*rpkg, chosen, app, "copy", "Draft the next revision of a package",
                     run_rpkg_copy, "  portico rpkg copy edge01.web.v1 --workspace v2");
    app->alias("edit");
    app->add_option("source", o->source, "Published package revision")->required();
    app->add_option("--workspace", o->workspace, "Workspace name")->required();
  }
  {
    auto o = command(*rpkg, chosen, app, "upgrade", "Draft an upgrade to a newer upstream",
                     run_rpkg_upgrade,
                     "  portico rpkg upgrade edge01.web.v1 --workspace v2 --revision 3");
    app->add_option("source", o->source, "Package revision")->required();
    app->add_option("--workspace", o->workspace, "Workspace name")->required();
    app->add_option("--revision", o->revision, "Upstream revision; the latest")
        ->check(CLI::PositiveNumber);
    app->add_option("--strategy", o->strategy,
                    "How the three versions are merged; the variant's, else resource-merge")
        ->check(CLI::IsMember(
            {"resource-merge", "fast-forward", "force-delete-replace", "copy-merge"}));
    add_on_conflict(*app, o->on_conflict);
  }
  {
    auto o =
        command(*rpkg, chosen, app, "rebase",
                "Put a draft on top of what was published since it was started", run_rpkg_rebase,
                "  portico rpkg rebase edge01.web.hotfix\n"
                "  portico rpkg rebase edge01.web.v1 --onto blueprints.web.v1 --workspace v2");
    app->add_option("name", o->name, "Draft; with --onto also a published package revision")
        ->required();
    app->add_option("--onto", o->onto,
                    "Instead: the upstream revision that it was made from, which its Kptfile then "
                    "names; the base of the next upgrade");
    app->add_option("--workspace", o->workspace,
                    "With --onto, of a published package revision: workspace of the new draft");
    add_on_conflict(*app, o->on_conflict);
  }
  {
    auto o = command(*rpkg, chosen, app, "rollback",
                     "Go back: a draft with the content of an earlier version", run_rpkg_rollback,
                     "  portico rpkg rollback edge-clusters-mgmt-edge01 --to v3\n"
                     "  portico rpkg rollback edge01.web.v4 --to v3 --workspace back");
    app->add_option("name", o->name, "PackageVariant, or a revision of the package")->required();
    app->add_option("--to", o->to, "Published version, as v3, or its package revision")->required();
    app->add_option("--workspace", o->workspace, "Workspace of the draft; else the next free one");
    add_wait(*app, o->wait);
  }
  {
    auto o = command(*rpkg, chosen, app, "pull", "Write a package revision into a folder",
                     run_rpkg_pull, "  portico rpkg pull edge01.web.v2 ./web");
    app->alias("read")->alias("source");
    app->add_option("name", o->name, "Package revision")->required();
    app->add_option("dir", o->dir, "Folder; without one the files are printed");
    app->add_flag("--force", o->force, "Overwrite edits, and files of the same name");
  }
  {
    auto o = command(*rpkg, chosen, app, "push", "Make a folder the content of a draft",
                     run_rpkg_push, "  portico rpkg push edge01.web.v2 ./web");
    app->alias("write")->alias("sink");
    app->add_option("name", o->name, "Draft")->required();
    app->add_option("dir", o->dir, "Folder that was pulled")->required();
    app->add_flag("--force", o->force, "Even where the draft has changed since the pull");
    app->add_flag("--keep-comments", o->keep_comments,
                  "A resource that a program wrote without any comment gets those of the draft");
  }
  {
    auto o =
        command(*rpkg, chosen, app, "diff", "Show what a package revision changes", run_rpkg_diff,
                "  portico rpkg diff edge01.web.packagevariant-2\n"
                "  portico rpkg diff edge01.web.packagevariant-2 upstream\n"
                "  portico rpkg diff edge01.web.packagevariant-2 pristine");
    app->add_option("name", o->name, "Package revision")->required();
    app->add_option(
        "other", o->other,
        "Another one, or one of these words: upstream, pristine (what its variant made, "
        "without people's edits), published (the latest), base (what it was started "
        "from); what it replaces where nothing is said");
  }
  add_lifecycle(*rpkg, chosen, "propose", "", "Propose drafts for approval");
  add_lifecycle(*rpkg, chosen, "approve", "", "Publish proposed package revisions");
  add_lifecycle(*rpkg, chosen, "reject", "", "Take proposals back");
  add_lifecycle(*rpkg, chosen, "propose-delete", "propose-del",
                "Propose published package revisions for deletion");
  add_lifecycle(*rpkg, chosen, "delete", "del",
                "Delete drafts, proposals, and revisions whose deletion is proposed");
}

void add_pkg(CLI::App& root, Command& chosen) {
  CLI::App* pkg = root.add_subcommand("pkg", "Packages in folders, without a state folder");
  pkg->alias("package");
  pkg->require_subcommand(1);
  const CLI::IsMember strategies(
      {"resource-merge", "fast-forward", "force-delete-replace", "copy-merge"});
  CLI::App* app = nullptr;
  {
    auto o = command(*pkg, chosen, app, "init", "Make a folder a package", run_pkg_init,
                     "  portico pkg init web --description \"The shop's front end\"");
    app->add_option("dir", o->dir, "Folder; what it holds stays")->capture_default_str();
    app->add_option("--description", o->description, "What it is for")->capture_default_str();
    app->add_option("--keywords", o->keywords, "Words to find it by")->delimiter(',');
    app->add_option("--site", o->site, "Web page");
  }
  {
    auto o = command(*pkg, chosen, app, "get", "Fetch a package from a git repository", run_pkg_get,
                     "  portico pkg get https://git.example.com/catalog.git/web@v1\n"
                     "  portico pkg get ../catalog/web edge01/web --for-deployment");
    app->add_option("url", o->url,
                    "REPOSITORY[.git]/DIRECTORY[@VERSION]; version: a tag (also DIRECTORY/VERSION),"
                    " branch or commit")
        ->required();
    app->add_option("dir", o->dir,
                    "Folder to make; in one that exists, a new one named after the package")
        ->capture_default_str();
    app->add_option("--strategy", o->strategy, "How updates are merged")
        ->check(strategies)
        ->capture_default_str();
    app->add_flag("--for-deployment", o->for_deployment, "With a package context");
  }
  {
    auto o = command(*pkg, chosen, app, "update", "Bring a package to a new upstream version",
                     run_pkg_update,
                     "  portico pkg update web@v2\n"
                     "  portico pkg update web --to v2 --on-conflict fail\n"
                     "  portico pkg update web --dry-run");
    app->add_option("package", o->package, "DIR[@VERSION]")->capture_default_str();
    app->add_option("--to", o->to, "Version; else the ref in the Kptfile");
    app->add_option("--strategy", o->strategy, "For this update and later ones")->check(strategies);
    add_on_conflict(*app, o->on_conflict);
    app->add_flag("--dry-run", o->dry_run, "Show what would change; write nothing");
  }
  {
    auto o = command(*pkg, chosen, app, "diff", "Compare a package with its upstream", run_pkg_diff,
                     "  portico pkg diff web\n  portico pkg diff web@v2 --diff-type remote");
    app->add_option("package", o->package, "DIR[@VERSION]")->capture_default_str();
    app->add_option("--to", o->to, "Version to compare with");
    app->add_option("--diff-type", o->type,
                    "local: what was changed here; remote: what changed upstream; combined: from "
                    "the upstream version to here; 3way: both")
        ->check(CLI::IsMember({"local", "remote", "combined", "3way"}));
    app->add_flag("--exit-code", o->exit_code, "Exit with 1 where there is a difference");
  }
}

void add_fleet(CLI::App& root, Command& chosen) {
  CLI::App* app = nullptr;
  {
    auto o = command(root, chosen, app, "tree", "Sets, their variants and package revisions",
                     run_tree, "  portico tree\n  portico tree web");
    app->add_option("name", o->name, "Only this set or variant");
  }
  {
    auto o = command(root, chosen, app, "status", "The fleet at a glance, failing objects first",
                     run_status, "  portico status\n  portico status --edited");
    app->add_flag("-A,--all-namespaces", o->all_namespaces, "Of every namespace");
    app->add_flag("--edited", o->edited, "The variants whose packages people have edited");
  }
  {
    auto o = command(root, chosen, app, "plan",
                     "Show what applying would do, with the diff of every package; nothing is "
                     "written. Without anything to apply: what the controllers would do now. Exit "
                     "status 1 where something fails",
                     run_plan,
                     "  portico plan -f set.yaml\n  portico plan -f fleet/ --no-diff\n"
                     "  portico plan --upstream blueprints/web --to v2\n"
                     "  portico plan --label repo/edge01 env=prod\n"
                     "  portico plan -f fleet/ --detailed-exitcode -o json");
    app->add_option("-f,--filename", o->files, "File, folder, or - for standard input");
    app->add_option("--upstream", o->upstream,
                    "REPO/PACKAGE: as if everything made from this package asked for --to");
    app->add_option("--to", o->to, "Revision (v3) or workspace, for --upstream");
    app->add_option("--label", o->labels,
                    "TYPE/NAME key=value, or key-: as if the object had this label, or had it not")
        ->type_size(2)
        ->expected(1)
        ->take_all();
    app->add_flag("--confirm-deletions", o->confirm_deletions,
                  "As if the sets among the objects might delete what they hold back");
    app->add_flag("--no-diff", o->no_diff, "Without the diffs");
    app->add_flag("--detailed-exitcode", o->detailed_exit_code,
                  "Exit status 0: no changes, 1: something fails, 2: changes");
    app->add_option("-o,--output", o->output, "json");
  }
  {
    auto o = command(root, chosen, app, "explain", "Why a variant is as it is", run_explain,
                     "  portico explain edge-clusters-mgmt-edge01\n"
                     "  portico explain edge-clusters-mgmt-edge01 "
                     "--field web.yaml:Deployment/web:spec.replicas");
    app->add_option("name", o->name, "PackageVariant; with --field also a package revision")
        ->required();
    app->add_option("--field", o->field,
                    "Who gave this field its value: [FILE:]KIND[.GROUP]/[NAMESPACE/]NAME:PATH");
  }
  {
    auto o = command(root, chosen, app, "history", "What happened to a package: who, when and why",
                     run_history,
                     "  portico history edge-clusters-mgmt-edge01\n"
                     "  portico history edge01/web -o json");
    app->add_option("name", o->name,
                    "PackageVariant, package revision, or package as REPOSITORY/PACKAGE")
        ->required();
    app->add_option("-o,--output", o->output, "json");
  }
  {
    auto o = command(root, chosen, app, "serve", "Run the controllers until stopped", run_serve,
                     "  portico serve\n"
                     "  portico serve --listen 127.0.0.1:6443");
    app->add_option("--listen", o->listen,
                    "HOST:PORT of the Kubernetes API, over HTTPS; port 0 takes a free one. "
                    "`portico kubeconfig` tells clients how to reach it");
    app->add_option("--resync", o->resync_seconds,
                    "Seconds between looks for changes that others make in the repositories")
        ->capture_default_str();
    app->add_option("--log-format", o->log_format,
                    "Lines on standard error: text, or json (one object a line)")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    app->add_option("--metrics", o->metrics,
                    "HOST:PORT at which numbers are served for Prometheus, without asking who "
                    "reads them; port 0 takes a free one");
  }
  {
    auto o = command(root, chosen, app, "kubeconfig",
                     "Print where the kubeconfig of `portico serve --listen` is", run_kubeconfig,
                     "  export KUBECONFIG=$(portico kubeconfig)");
    static_cast<void>(o);
  }
  {
    auto o = command(root, chosen, app, "fn-runner",
                     "Serve the built-in functions over gRPC, in Porch's protocol", run_fn_runner,
                     "  portico fn-runner --listen 0.0.0.0:9445");
    app->add_option("--listen", o->listen, "Address; port 0 takes a free one")
        ->capture_default_str();
    app->add_option("--max-message-bytes", o->message_bytes, "Most that is taken and sent")
        ->check(CLI::Range(std::size_t{1} << 10, std::size_t{1} << 30))
        ->capture_default_str();
  }
  CLI::App* cel = root.add_subcommand("cel", "Expressions of the Common Expression Language");
  cel->require_subcommand(1);
  {
    auto o = command(*cel, chosen, app, "eval", "Evaluate an expression", run_cel_eval,
                     "  portico cel eval 'math.greatest(xs)' --var 'xs=[3, 7]'\n"
                     "  portico cel eval --env pvs \"target.labels['region'] + '-web'\" \\\n"
                     "    --var target='{\"labels\": {\"region\": \"east\"}}'");
    app->add_option("expression", o->expression, "Expression")->required();
    app->add_option("--var", o->variables, "Variable, as name=JSON")->expected(1)->take_all();
    app->add_option("--env", o->env,
                    "all: every library, and the variables that are given; pvs: what a "
                    "PackageVariantSet's template has")
        ->check(CLI::IsMember({"all", "pvs"}))
        ->capture_default_str();
  }
  root.add_subcommand("version", "Print the version")->callback([&chosen] {
    chosen = [](Context& context) { return run_version(context); };
  });
}

void add_running(CLI::App& app, FnRunOptions& run) {
  app.add_option("-o,--output", run.output,
                 "stdout: a ResourceList; unwrap: the resources; or a new folder");
  app.add_option("--results-dir", run.results_dir, "Folder that gets results.yaml");
  app.add_flag("--allow-exec", run.allow_exec, "Programs may be run, too");
  // kpt's: WebAssembly images of built-in functions run built in, and no others are known.
  app.add_flag("--allow-alpha-wasm")->group("");
  app.add_flag("--no-sandbox", run.no_sandbox, "Programs are run with all rights that you have");
  app.add_flag("--no-builtin", run.no_builtin, "Built-in functions run where other images do");
  app.add_flag("--allow-network,--network", run.network,
               "Programs and containers may use the network");
  app.add_option("--image-pull-policy", run.pull, "Always, IfNotPresent or Never")
      ->capture_default_str();
  app.add_option("--image-prefix", run.image_prefix,
                 "Put before an image without '/'; else $KPT_IMAGE_PREFIX, else the catalog's");
}

void add_selector(CLI::App& app, FnSelectorOptions& one, const std::string& verb,
                  const std::string& words) {
  app.add_option("--" + verb + "-api-version", one.api_version, words + " of this apiVersion");
  app.add_option("--" + verb + "-kind", one.kind, words + " of this kind");
  app.add_option("--" + verb + "-name", one.name, words + " of this name");
  app.add_option("--" + verb + "-namespace", one.ns, words + " in this namespace");
  app.add_option("--" + verb + "-labels", one.labels, words + " with the label key=value")
      ->expected(1)
      ->take_all();
  app.add_option("--" + verb + "-annotations", one.annotations,
                 words + " with the annotation key=value")
      ->expected(1)
      ->take_all();
}

/// `behind` is what stands behind "--".
void add_fn(CLI::App& root, Command& chosen, const std::vector<std::string>& behind) {
  CLI::App* fn = root.add_subcommand("fn", "Run KRM functions on a folder, as kpt fn does");
  fn->require_subcommand(1);
  CLI::App* app = nullptr;
  {
    auto o =
        command(*fn, chosen, app, "render", "Run the pipelines of a package", run_fn_render,
                "  portico fn render web\n  portico fn render web -o unwrap | kubectl apply -f -\n"
                "  portico fn render web --allow-exec --results-dir out");
    app->add_option("dir", o->dir, "Package")->capture_default_str();
    add_running(*app, o->run);
    app->add_flag("--no-status", o->no_status, "The Kptfile gets no status");
  }
  {
    auto o = command(*fn, chosen, app, "eval", "Run one function", run_fn_eval,
                     "  portico fn eval web -i set-namespace -- namespace=shop\n"
                     "  portico fn eval web --exec ./check.py --match-kind Deployment\n"
                     "  portico fn source web | portico fn eval - -i set-labels -- tier=web | "
                     "portico fn sink out\n"
                     "  portico fn eval web -s -t mutator -i set-labels -- tier=web");
    o->data = behind;
    app->add_option("dir", o->dir, "Folder, or - for a ResourceList on standard input")
        ->capture_default_str();
    app->add_option("-i,--image", o->image, "Image of the function");
    app->add_option("--exec", o->exec, "Program that is the function, with its arguments");
    app->add_option("--tag", o->tag, "Version of the image, or a constraint on it");
    app->add_option("--fn-config", o->config, "File with the function's config");
    add_running(*app, o->run);
    add_selector(*app, o->match, "match", "Only resources");
    add_selector(*app, o->exclude, "exclude", "No resources");
    app->add_option("-e,--env", o->environment,
                    "NAME=value, or NAME: variables for the program or container")
        ->expected(1)
        ->take_all();
    app->add_option("--mount", o->mounts,
                    "Files for the container or program: type=bind,src=PATH,dst=PATH[,rw=true]")
        ->expected(1)
        ->take_all();
    app->add_flag("--as-current-user", o->as_current_user, "The container runs as you, not nobody");
    app->add_flag("-s,--save", o->save, "Put the function into the Kptfile's pipeline");
    app->add_option("-t,--type", o->type, "mutator or validator, for --save");
    app->add_flag("--include-meta-resources", o->include_meta)->group("");
  }
  {
    auto o = command(*fn, chosen, app, "source", "Write a folder's resources as ResourceList",
                     run_fn_source, "  portico fn source web");
    app->add_option("dir", o->dir, "Folder")->capture_default_str();
    app->add_option("-o,--output", o->output, "stdout or unwrap")->capture_default_str();
    app->add_option("--fn-config", o->config, "File that becomes the list's functionConfig");
  }
  {
    auto o = command(*fn, chosen, app, "sink", "Write a ResourceList into a new folder",
                     run_fn_sink, "  portico fn source web | portico fn sink copy");
    app->add_option("dir", o->dir, "Folder that is not there yet")->required();
  }
  {
    auto o = command(*fn, chosen, app, "run", "Be one built-in function, as a KRM function is",
                     run_fn_run,
                     "  portico fn source web | portico fn run set-namespace > list.yaml\n"
                     "  kpt fn eval web --exec 'portico fn run set-labels' -- tier=web");
    app->add_option("image", o->image, "The function's name or image")->required();
  }
}

}  // namespace

std::variant<Parsed, Exit> parse_arguments(int argc, const char* const* argv) {
  Parsed parsed;
  CLI::App root("Portico keeps fleets of configuration packages up to date.", "portico");
  root.require_subcommand(1);
  root.fallthrough();
  root.add_option("-n,--namespace", parsed.globals.ns, "Namespace")->capture_default_str();
  root.add_option("--state", parsed.globals.state,
                  "State folder; else $PORTICO_STATE, else the nearest .portico");
  root.add_flag("-v,--verbose", parsed.globals.verbose,
                "Say more on standard error: what is done, and of serve every look");
  root.add_option("--workers", parsed.globals.workers, "Variants worked on at once")
      ->check(CLI::Range(1, 1024));
  root.add_option("--timeout", parsed.globals.timeout_seconds,
                  "Seconds that the command may take; else 600 for --wait and plan, 300 for each "
                  "function, and git's own limits")
      ->check(CLI::PositiveNumber);
  root.add_option("--function-runner", parsed.globals.function_runner,
                  "host:port of a function runner (Porch's protocol) for functions that are not "
                  "built in")
      ->envname("PORTICO_FUNCTION_RUNNER");
  root.add_flag("--containers", parsed.globals.containers,
                "Functions that are not built in run in containers (docker or podman)");
  add_objects(root, parsed.command);
  add_repo(root, parsed.command);
  add_rpkg(root, parsed.command);
  add_pkg(root, parsed.command);
  add_fleet(root, parsed.command);
  // Arguments of a function are no arguments of the program.
  const auto separator = std::find(argv, argv + argc, std::string_view("--"));
  const bool runs_function = argc > 1 && argv[1] == std::string_view("fn");
  std::vector<std::string> behind;
  if (runs_function && separator != argv + argc) {
    behind.assign(separator + 1, argv + argc);
    argc = static_cast<int>(separator - argv);
  }
  add_fn(root, parsed.command, behind);
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool help = error.get_exit_code() == 0;
    root.exit(error);
    return help ? Exit{0} : Exit{2};
  }
  return parsed;
}

}  // namespace portico::cli
