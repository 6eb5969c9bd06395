#include <tuple>

#include "cli/command_line.h"

namespace portico::cli {

void add_changes(CLI::App& root, Command& chosen) {
  CLI::App* app = nullptr;
  {
    auto o = command(root, chosen, app, "patch", "Change fields of objects", run_patch,
                     "  portico patch pv web-edge01 -p '{\"spec\": {\"upstream\": {\"revision\": "
                     "3}}}' --wait\n"
                     "  portico patch pvs/web --type json -p '[{\"op\": \"remove\", \"path\": "
                     "\"/spec/deletionGuard\"}]'");
    app->add_option("type", o->type, "Type, as for get; or TYPE/NAME")->required();
    app->add_option("names", o->names, "Names");
    app->add_option("-p,--patch", o->patch, "Patch, as JSON or YAML");
    app->add_option("--patch-file", o->patch_file,
                    "File that contains the patch; - for standard input");
    app->add_option("--type", o->patch_type,
                    "json, merge or strategic (default: strategic for built-in Kubernetes kinds, "
                    "merge for all others)")
        ->check(one_of({"json", "merge", "strategic"}));
    add_output(*app, o->output);
    CLI::Option* dry =
        app->add_flag("--dry-run", o->dry_run, "Print what would change; store nothing");
    add_wait(*app, o->wait)->excludes(dry);
  }
  {
    auto o = command(root, chosen, app, "edit", "Change objects in an editor", run_edit,
                     "  portico edit pvs web\n  KUBE_EDITOR=nano portico edit pv/web-edge01");
    app->add_option("type", o->type, "Type, as for get; or TYPE/NAME")->required();
    app->add_option("names", o->names, "Names");
    add_wait(*app, o->wait);
  }
  {
    auto o = command(root, chosen, app, "wait", "Wait for a condition of objects", run_wait,
                     "  portico wait pv --all --for condition=Ready\n"
                     "  portico wait rpkg/edge01.web.v2 --for "
                     "jsonpath='{.spec.lifecycle}'=Published --timeout 5m\n"
                     "  portico wait pv/web-edge01 --for delete");
    app->add_option("type", o->type, "Type, as for get; or TYPE/NAME");
    app->add_option("names", o->names, "Names");
    app->add_option("-f,--filename", o->files, "Files that name the objects");
    app->add_option("-l,--selector", o->selector, "Label selector, in place of names");
    app->add_flag("--all", o->all, "All objects in the namespace");
    app->add_option("--for", o->condition,
                    "create, delete, condition=TYPE[=STATUS] or jsonpath={PATH}[=VALUE]")
        ->required();
  }
  for (const auto& [name, run, about] :
       {std::tuple("suspend", &run_suspend,
                   "Suspend variants, sets or repositories: they are not reconciled until they are "
                   "resumed"),
        std::tuple("resume", &run_resume, "Resume suspended variants, sets or repositories")}) {
    auto o = command(root, chosen, app, name, about, run,
                     fmt::format("  portico {0} pv web-edge01\n  portico {0} repo/edge01 --wait\n"
                                 "  portico {0} pv -l wave=2",
                                 name));
    app->add_option("type", o->type, "Type, as for get; or TYPE/NAME")->required();
    app->add_option("names", o->names, "Names");
    app->add_option("-l,--selector", o->selector, "Label selector, in place of names");
    app->add_flag("--all", o->all, "All objects in the namespace");
    add_wait(*app, o->wait);
  }
  {
    auto o = command(
        root, chosen, app, "top",
        "Full-screen live view of sets and variants, with keys for diff, propose and approve",
        run_top, "  portico top\n  portico top -n staging");
    static_cast<void>(o);
  }
  {
    auto o = command(root, chosen, app, "events", "List events, newest last", run_events,
                     "  portico events\n  portico events --for pv/web-edge01 --types Warning");
    app->add_option("--for", o->about, "Only events of this object: TYPE/NAME");
    app->add_option("--types", o->types, "Only events of this type: Normal or Warning")
        ->delimiter(',');
    add_output(*app, o->output);
    app->add_flag("-A,--all-namespaces", o->all_namespaces, "In all namespaces");
    app->add_flag("--no-headers", o->no_headers, "Do not print headers");
  }
}

}  // namespace portico::cli
