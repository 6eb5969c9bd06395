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
  app->add_option("--set", o->variants_of, "Of all variants of this PackageVariantSet");
  app->add_option("--repository", o->repository, "All of this repository");
  app->add_option("--lifecycle", o->lifecycle, "All that are Draft, Proposed, ...")
      ->check(one_of({"Draft", "Proposed", "Published", "DeletionProposed"}));
  app->add_flag("--all", o->all, "All of the namespace");
  app->add_flag("-y,--yes", o->yes, "On a terminal, do not ask about what was selected");
  if (verb == "delete")
    app->add_flag("--ignore-not-found", o->ignore_not_found, "What is gone already is no error");
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
    app->add_option("names", o->names, "Only these")->transform(plain_revision());
    app->add_option("--name", o->package, "Of this package");
    app->add_option("--repository", o->repository, "Of this repository");
    app->add_option("--revision", o->revision, "With this revision number");
    app->add_option("--workspace", o->workspace, "With this workspace name");
    app->add_option("--lifecycle", o->lifecycle, "Draft, Proposed, Published, DeletionProposed");
    app->add_option("-l,--selector", o->selector, "Label selector");
    add_output(*app, o->output);
    add_listing(*app, *o);
  }
  {
    auto o = command(*rpkg, chosen, app, "init", "Draft a new package", run_rpkg_init,
                     "  portico rpkg init web --repository blueprints --workspace v1");
    app->add_option("package", o->package, "Package name or path")->required();
    app->add_option("--repository", o->repository, "Repository")->required();
    app->add_option("--workspace", o->workspace, "Workspace name")->required();
    app->add_option("--description", o->description, "Description")->capture_default_str();
    app->add_option("--keywords", o->keywords, "Keywords")->delimiter(',');
    app->add_option("--site", o->site, "Web page");
  }
  {
    auto o =
        command(*rpkg, chosen, app, "clone", "Draft a package from another one", run_rpkg_clone,
                "  portico rpkg clone blueprints.web.v1 web --repository edge01\n"
                "  portico rpkg clone https://git.example.com/catalog.git/web@v1 web "
                "--repository edge01\n"
                "  portico rpkg clone https://git.example.com/catalog.git --directory web "
                "--ref v1 web --repository edge01");
    app->add_option("source", o->source,
                    "Package revision; or REPOSITORY[.git]/DIRECTORY[@VERSION] of any git "
                    "repository, or its URL with --directory and --ref")
        ->required();
    app->add_option("package", o->package, "New package's name")->required();
    app->add_option("--repository", o->repository, "Repository of the new package")->required();
    app->add_option("--workspace", o->workspace, "Workspace name")->capture_default_str();
    app->add_option("--directory", o->directory, "Of a URL: folder of the package");
    app->add_option("--ref", o->ref, "Of a URL: tag, branch or commit; else the default branch");
    app->add_option("--strategy", o->strategy,
                    "How the package is upgraded later, where nobody says")
        ->check(strategies);
  }
  {
    auto o = command(*rpkg, chosen, app, "copy", "Draft the next revision of a package",
                     run_rpkg_copy, "  portico rpkg copy edge01.web.v1 --workspace v2");
    app->alias("edit");
    app->add_option("source", o->source, "Published package revision")
        ->transform(plain_revision())
        ->required();
    app->add_option("--workspace", o->workspace, "Workspace name")->required();
  }
  {
    auto o = command(*rpkg, chosen, app, "upgrade", "Draft an upgrade to a newer upstream",
                     run_rpkg_upgrade,
                     "  portico rpkg upgrade edge01.web.v1 --workspace v2 --revision 3\n"
                     "  portico rpkg upgrade --discover upstream");
    app->add_option("names", o->names, "Package revision; with --discover any number, or all")
        ->transform(plain_revision());
    app->add_option("--workspace", o->workspace, "Workspace name of the draft");
    app->add_option("--discover", o->discover,
                    "upstream: list what the package revisions can be upgraded to; downstream: "
                    "what can be upgraded to them")
        ->check(one_of({"upstream", "downstream"}));
    app->add_option("--revision", o->revision, "Upstream revision; the latest")
        ->check(CLI::PositiveNumber);
    app->add_option("--strategy", o->strategy,
                    "How the three versions are merged; the variant's, else the Kptfile's, else "
                    "resource-merge")
        ->check(strategies);
    add_on_conflict(*app, o->on_conflict);
  }
  {
    auto o =
        command(*rpkg, chosen, app, "rebase",
                "Put a draft on top of what was published since it was started", run_rpkg_rebase,
                "  portico rpkg rebase edge01.web.hotfix\n"
                "  portico rpkg rebase edge01.web.v1 --onto blueprints.web.v1 --workspace v2");
    app->add_option("name", o->name, "Draft; with --onto also a published package revision")
        ->transform(plain_revision())
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
    auto o =
        command(*rpkg, chosen, app, "pull", "Write a package revision into a folder", run_rpkg_pull,
                "  portico rpkg pull edge01.web.v2 ./web\n"
                "  portico rpkg pull edge01.web.v2 - | portico fn eval - -i set-labels -- "
                "tier=web | portico rpkg push edge01.web.v2 -");
    app->alias("read")->alias("source");
    app->add_option("name", o->name, "Package revision")->transform(plain_revision())->required();
    app->add_option("dir", o->dir, "Folder; without one, or with -, a ResourceList is printed");
    app->add_flag("--force", o->force, "Overwrite edits, and files of the same name");
  }
  {
    auto o =
        command(*rpkg, chosen, app, "push", "Make a folder the content of a draft", run_rpkg_push,
                "  portico rpkg push edge01.web.v2 ./web\n"
                "  portico rpkg pull edge01.web.v2 - | sed 's/web:1.4/web:1.5/' | portico rpkg "
                "push edge01.web.v2 -\n"
                "  portico rpkg push edge01.web.v2 ./web --force");
    app->alias("write")->alias("sink");
    app->add_option("name", o->name, "Draft")->transform(plain_revision())->required();
    app->add_option("dir", o->dir,
                    "Folder that was pulled; - for a ResourceList on standard input. What such a "
                    "list cannot hold stays as it is in the draft, and so does a Kptfile that it "
                    "lacks");
    app->add_flag("--force", o->force, "Even where the draft has changed since the pull");
    app->add_flag("--keep-comments", o->keep_comments,
                  "A resource that a program wrote without any comment gets those of the draft");
  }
  {
    auto o =
        command(*rpkg, chosen, app, "diff", "Show what a package revision changes", run_rpkg_diff,
                "  portico rpkg diff edge01.web.packagevariant-2\n"
                "  portico rpkg diff edge01.web.packagevariant-2 upstream\n"
                "  portico rpkg diff edge01.web.packagevariant-2 pristine\n"
                "  portico rpkg diff edge01.web.packagevariant-2 --stat");
    app->add_option("name", o->name, "Package revision")->transform(plain_revision())->required();
    app->add_option(
        "other", o->other,
        "Another one, or one of these words: upstream, pristine (what its variant made, "
        "without people's edits), published (the latest), base (what it was started "
        "from); what it replaces where nothing is said");
    app->add_flag("--stat", o->stat, "Only the files, with how many lines differ");
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
  const CLI::Validator strategies =
      one_of({"resource-merge", "fast-forward", "force-delete-replace", "copy-merge"});
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
  for (const auto& [name, run, about] :
       {std::tuple("tree", &run_pkg_tree, "Show the resources of a package and its subpackages"),
        std::tuple("cat", &run_pkg_cat, "Print the resources of a package as YAML")}) {
    auto o =
        command(*pkg, chosen, app, name, about, run, fmt::format("  portico pkg {} web", name));
    app->add_option("dir", o->dir, "Package")->capture_default_str();
  }
  {
    auto o = command(*pkg, chosen, app, "diff", "Compare a package with its upstream", run_pkg_diff,
                     "  portico pkg diff web\n  portico pkg diff web@v2 --diff-type remote");
    app->add_option("package", o->package, "DIR[@VERSION]")->capture_default_str();
    app->add_option("--to", o->to, "Version to compare with");
    app->add_option("--diff-type", o->type,
                    "local: what was changed here; remote: what changed upstream; combined: from "
                    "the upstream version to here; 3way: both")
        ->check(one_of({"local", "remote", "combined", "3way"}));
    app->add_flag("--exit-code", o->exit_code, "Exit with 1 where there is a difference");
  }
}

}  // namespace portico::cli
