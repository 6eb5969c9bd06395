#include <tuple>

#include "cli/command_line.h"

namespace portico::cli {

namespace {

void add_lifecycle(CLI::App& rpkg, Command& chosen, const std::string& verb,
                   const std::string& alias, const std::string& description) {
  CLI::App* app = nullptr;
  auto o = command(rpkg, chosen, app, verb, description, run_rpkg_lifecycle,
                   "  portico rpkg " + verb + " edge01.web.packagevariant-1\n  portico rpkg " +
                       verb + " --set web");
  if (!alias.empty()) app->alias(alias);
  o->verb = verb;
  app->add_option("names", o->names, "Package revisions")->transform(plain_revision());
  app->add_option("-l,--selector", o->selector, "Label selector");
  app->add_option("--set", o->variants_of,
                  "All package revisions of the variants of this PackageVariantSet");
  app->add_option("--repository", o->repository, "All package revisions of this repository");
  app->add_option("--lifecycle", o->lifecycle, "All package revisions with this lifecycle")
      ->check(one_of({"Draft", "Proposed", "Published", "DeletionProposed"}));
  app->add_flag("--all", o->all, "All objects in the namespace");
  app->add_flag("-y,--yes", o->yes, "Do not ask for confirmation");
  if (verb == "delete")
    app->add_flag("--ignore-not-found", o->ignore_not_found,
                  "Do not fail for objects that do not exist");
  add_name_output(*app, o->output);
  add_wait(*app, o->wait);
}

}  // namespace

void add_rpkg(CLI::App& root, Command& chosen) {
  const CLI::Validator strategies =
      one_of({"resource-merge", "fast-forward", "force-delete-replace", "copy-merge"});
  CLI::App* rpkg = root.add_subcommand("rpkg", "Package revisions");
  rpkg->alias("rpackage");
  rpkg->require_subcommand(1);
  CLI::App* app = nullptr;
  {
    auto o = command(*rpkg, chosen, app, "get", "List package revisions", run_rpkg_get,
                     "  portico rpkg get --repository edge01\n"
                     "  portico rpkg get --lifecycle Proposed");
    app->alias("list");
    app->add_option("names", o->names, "Show only these")->transform(plain_revision());
    app->add_option("--name", o->package, "Only revisions of this package");
    app->add_option("--repository", o->repository, "Only package revisions of this repository");
    app->add_option("--revision", o->revision, "Only package revisions with this revision number");
    app->add_option("--workspace", o->workspace, "Only package revisions with this workspace name");
    app->add_option(
        "--lifecycle", o->lifecycle,
        "Only package revisions with this lifecycle: Draft, Proposed, Published, DeletionProposed");
    app->add_option("-l,--selector", o->selector, "Label selector");
    add_output(*app, o->output);
    add_listing(*app, *o);
  }
  {
    auto o = command(*rpkg, chosen, app, "init", "Create a draft of a new package", run_rpkg_init,
                     "  portico rpkg init web --repository blueprints --workspace v1");
    app->add_option("package", o->package, "Name or path of the package")->required();
    app->add_option("--repository", o->repository, "Repository")->required();
    app->add_option("--workspace", o->workspace, "Workspace name")->required();
    app->add_option("--description", o->description, "Description")->capture_default_str();
    app->add_option("--keywords", o->keywords, "Keywords")->delimiter(',');
    app->add_option("--site", o->site, "Web page");
  }
  {
    auto o = command(*rpkg, chosen, app, "clone", "Clone a package into a draft of a new package",
                     run_rpkg_clone,
                     "  portico rpkg clone blueprints.web.v1 web --repository edge01\n"
                     "  portico rpkg clone https://git.example.com/catalog.git/web@v1 web "
                     "--repository edge01\n"
                     "  portico rpkg clone https://git.example.com/catalog.git --directory web "
                     "--ref v1 web --repository edge01");
    app->add_option("source", o->source,
                    "Package revision; or REPOSITORY[.git]/DIRECTORY[@VERSION] in any git "
                    "repository; or the URL of one, with --directory and --ref")
        ->required();
    app->add_option("package", o->package, "Name of the new package")->required();
    app->add_option("--repository", o->repository, "Repository of the new package")->required();
    app->add_option("--workspace", o->workspace, "Workspace name")->capture_default_str();
    app->add_option("--directory", o->directory, "With a URL: folder of the package");
    app->add_option("--ref", o->ref,
                    "With a URL: tag, branch or commit (default: the default branch)");
    app->add_option("--strategy", o->strategy, "Default merge strategy of later upgrades")
        ->check(strategies);
  }
  {
    auto o = command(*rpkg, chosen, app, "copy", "Create a draft of the next revision of a package",
                     run_rpkg_copy, "  portico rpkg copy edge01.web.v1 --workspace v2");
    app->alias("edit");
    app->add_option("source", o->source, "Published package revision")
        ->transform(plain_revision())
        ->required();
    app->add_option("--workspace", o->workspace, "Workspace name")->required();
  }
  {
    auto o = command(*rpkg, chosen, app, "upgrade",
                     "Create a draft that upgrades a package to a newer upstream revision",
                     run_rpkg_upgrade,
                     "  portico rpkg upgrade edge01.web.v1 --workspace v2 --revision 3\n"
                     "  portico rpkg upgrade --discover upstream");
    app->add_option("names", o->names,
                    "Package revision; with --discover any number (default: all)")
        ->transform(plain_revision());
    app->add_option("--workspace", o->workspace, "Workspace name of the draft");
    app->add_option("--discover", o->discover,
                    "upstream: list the revisions to which package revisions can be upgraded; "
                    "downstream: list the package revisions that can be upgraded to them")
        ->check(one_of({"upstream", "downstream"}));
    app->add_option("--revision", o->revision, "Upstream revision (default: the latest)")
        ->check(CLI::PositiveNumber);
    app->add_option("--strategy", o->strategy,
                    "Merge strategy (default: that of the variant, else of the Kptfile, else "
                    "resource-merge)")
        ->check(strategies);
    add_on_conflict(*app, o->on_conflict);
  }
  {
    auto o = command(*rpkg, chosen, app, "rebase",
                     "Rebase a draft onto the revision that was published since it was created",
                     run_rpkg_rebase,
                     "  portico rpkg rebase edge01.web.hotfix\n"
                     "  portico rpkg rebase edge01.web.v1 --onto blueprints.web.v1 --workspace v2");
    app->add_option("name", o->name, "Draft; with --onto also a published package revision")
        ->transform(plain_revision())
        ->required();
    app->add_option("--onto", o->onto,
                    "Record this upstream revision in the Kptfile as the one that the package was "
                    "made from: the base of the next upgrade");
    app->add_option(
        "--workspace", o->workspace,
        "With --onto and a published package revision: workspace name of the new draft");
    add_on_conflict(*app, o->on_conflict);
  }
  {
    auto o = command(*rpkg, chosen, app, "rollback",
                     "Create a draft with the content of an earlier revision", run_rpkg_rollback,
                     "  portico rpkg rollback edge-clusters-mgmt-edge01 --to v3\n"
                     "  portico rpkg rollback edge01.web.v4 --to v3 --workspace back");
    app->add_option("name", o->name, "PackageVariant, or a package revision")->required();
    app->add_option("--to", o->to, "Published revision, such as v3, or its package revision")
        ->required();
    app->add_option("--workspace", o->workspace,
                    "Workspace name of the draft (default: the next free one)");
    add_wait(*app, o->wait);
  }
  {
    auto o =
        command(*rpkg, chosen, app, "pull", "Write a package revision into a folder", run_rpkg_pull,
                "  portico rpkg pull edge01.web.v2 ./web\n"
                "  portico rpkg pull edge01.web.v2 - | portico fn eval - -i set-labels -- "
                "tier=web | portico rpkg push edge01.web.v2 -");
    app->alias("read")->alias("source");
    app->add_option("name", o->name, "Package revision")->transform(plain_revision())->required();
    app->add_option("dir", o->dir, "Folder; without it, or with -, a ResourceList is printed");
    app->add_flag("--force", o->force, "Overwrite local edits and other files of the same name");
  }
  {
    auto o = command(
        *rpkg, chosen, app, "push", "Replace the content of a draft by a folder", run_rpkg_push,
        "  portico rpkg push edge01.web.v2 ./web\n"
        "  portico rpkg pull edge01.web.v2 - | sed 's/web:1.4/web:1.5/' | portico rpkg "
        "push edge01.web.v2 -\n"
        "  portico rpkg push edge01.web.v2 ./web --force");
    app->alias("write")->alias("sink");
    app->add_option("name", o->name, "Draft")->transform(plain_revision())->required();
    app->add_option(
        "dir", o->dir,
        "Folder that was pulled; - for a ResourceList on standard input. Files of the draft that a "
        "ResourceList cannot hold are kept, and so is the Kptfile if the list has none");
    app->add_flag("--force", o->force, "Push even if the draft has changed since the pull");
    app->add_flag("--keep-comments", o->keep_comments,
                  "Restore the comments of the draft in resources that come back without any");
  }
  {
    auto o =
        command(*rpkg, chosen, app, "diff", "Show what a package revision changes", run_rpkg_diff,
                "  portico rpkg diff edge01.web.packagevariant-2\n"
                "  portico rpkg diff edge01.web.packagevariant-2 upstream\n"
                "  portico rpkg diff edge01.web.packagevariant-2 pristine\n"
                "  portico rpkg diff edge01.web.packagevariant-2 --stat");
    app->add_option("name", o->name, "Package revision")->transform(plain_revision())->required();
    app->add_option("other", o->other,
                    "Package revision to compare with, or upstream, pristine (as built for the "
                    "variant, without users' edits), published (the latest) or base (the revision "
                    "it was created from). Default: the revision that it replaces");
    app->add_flag("--stat", o->stat, "Show only the files and the number of changed lines");
  }
  add_lifecycle(*rpkg, chosen, "propose", "", "Propose drafts for approval");
  add_lifecycle(*rpkg, chosen, "approve", "", "Publish proposed package revisions");
  add_lifecycle(*rpkg, chosen, "reject", "", "Return proposed package revisions to draft");
  add_lifecycle(*rpkg, chosen, "propose-delete", "propose-del",
                "Propose published package revisions for deletion");
  add_lifecycle(*rpkg, chosen, "delete", "del",
                "Delete drafts, proposed package revisions, and revisions proposed for deletion");
}

void add_pkg(CLI::App& root, Command& chosen) {
  CLI::App* pkg =
      root.add_subcommand("pkg", "Work on packages in local folders, without a state folder");
  pkg->alias("package");
  pkg->require_subcommand(1);
  const CLI::Validator strategies =
      one_of({"resource-merge", "fast-forward", "force-delete-replace", "copy-merge"});
  CLI::App* app = nullptr;
  {
    auto o = command(*pkg, chosen, app, "init", "Make a folder a package: create its Kptfile",
                     run_pkg_init, "  portico pkg init web --description \"The shop's front end\"");
    app->add_option("dir", o->dir, "Folder; existing files are kept")->capture_default_str();
    app->add_option("--description", o->description, "Description")->capture_default_str();
    app->add_option("--keywords", o->keywords, "Keywords")->delimiter(',');
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
    app->add_option(
           "dir", o->dir,
           "Folder to create; if it exists, a folder named after the package is created in it")
        ->capture_default_str();
    app->add_option("--strategy", o->strategy, "Merge strategy of updates")
        ->check(strategies)
        ->capture_default_str();
    app->add_flag("--for-deployment", o->for_deployment,
                  "Add a package context (package-context.yaml)");
  }
  {
    auto o = command(*pkg, chosen, app, "update", "Update a package to a new upstream version",
                     run_pkg_update,
                     "  portico pkg update web@v2\n"
                     "  portico pkg update web --to v2 --on-conflict fail\n"
                     "  portico pkg update web --dry-run");
    app->add_option("package", o->package, "DIR[@VERSION]")->capture_default_str();
    app->add_option("--to", o->to, "Upstream version (default: the ref in the Kptfile)");
    app->add_option("--strategy", o->strategy, "Merge strategy of this and later updates")
        ->check(strategies);
    add_on_conflict(*app, o->on_conflict);
    app->add_flag("--dry-run", o->dry_run, "Show what would change; write nothing");
  }
  for (const auto& [name, run, about] :
       {std::tuple("tree", &run_pkg_tree, "Show the resources of a package and its subpackages"),
        std::tuple("cat", &run_pkg_cat, "Print the resources of a package as YAML")}) {
    auto o =
        command(*pkg, chosen, app, name, about, run, fmt::format("  portico pkg {} web", name));
    app->add_option("dir", o->dir, "Package folder")->capture_default_str();
  }
  {
    auto o = command(*pkg, chosen, app, "diff", "Compare a package with its upstream", run_pkg_diff,
                     "  portico pkg diff web\n  portico pkg diff web@v2 --diff-type remote");
    app->add_option("package", o->package, "DIR[@VERSION]")->capture_default_str();
    app->add_option("--to", o->to, "Version to compare with");
    app->add_option("--diff-type", o->type,
                    "local: local changes; remote: upstream changes; combined: from the upstream "
                    "version to the local package; 3way: both")
        ->check(one_of({"local", "remote", "combined", "3way"}));
    app->add_flag("--exit-code", o->exit_code, "Exit with 1 if there are differences");
  }
}

}  // namespace portico::cli
