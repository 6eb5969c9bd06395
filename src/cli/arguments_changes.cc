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
    app->add_option("type", o->type, "As for get; or TYPE/NAME")->required();
    app->add_option("names", o->names, "Which");
    app->add_option("-p,--patch", o->patch, "The patch, as JSON or YAML");
    app->add_option("--patch-file", o->patch_file, "File with it, or - for standard input");
    app->add_option("--type", o->patch_type,
                    "json, merge or strategic; else strategic for kinds of Kubernetes' own, and "
                    "merge for all others")
        ->check(one_of({"json", "merge", "strategic"}));
    add_output(*app, o->output);
    CLI::Option* dry =
        app->add_flag("--dry-run", o->dry_run, "Say what would change; store nothing");
    add_wait(*app, o->wait)->excludes(dry);
  }
  {
    auto o = command(root, chosen, app, "edit", "Change objects in an editor", run_edit,
                     "  portico edit pvs web\n  KUBE_EDITOR=nano portico edit pv/web-edge01");
    app->add_option("type", o->type, "As for get; or TYPE/NAME")->required();
    app->add_option("names", o->names, "Which");
    add_wait(*app, o->wait);
  }
  {
    auto o =
        command(root, chosen, app, "wait", "Wait until objects are as they should be", run_wait,
                "  portico wait pv --all --for condition=Ready\n"
                "  portico wait rpkg/edge01.web.v2 --for "
                "jsonpath='{.spec.lifecycle}'=Published --timeout 5m\n"
                "  portico wait pv/web-edge01 --for delete");
    app->add_option("type", o->type, "As for get; or TYPE/NAME");
    app->add_option("names", o->names, "Which");
    app->add_option("-f,--filename", o->files, "The objects of these files");
    app->add_option("-l,--selector", o->selector, "Label selector, instead of names");
    app->add_flag("--all", o->all, "All of the namespace");
    app->add_option("--for", o->condition,
                    "create, delete, condition=TYPE[=STATUS] or jsonpath={PATH}[=VALUE]")
        ->required();
  }
  for (const auto& [name, run, about] :
       {std::tuple("suspend", &run_suspend,
                   "Leave variants, sets or repositories alone until they are resumed"),
        std::tuple("resume", &run_resume, "Go on with what was suspended")}) {
    auto o = command(root, chosen, app, name, about, run,
                     fmt::format("  portico {0} pv web-edge01\n  portico {0} repo/edge01 --wait\n"
                                 "  portico {0} pv -l wave=2",
                                 name));
    app->add_option("type", o->type, "As for get; or TYPE/NAME")->required();
    app->add_option("names", o->names, "Which");
    app->add_option("-l,--selector", o->selector, "Label selector, instead of names");
    app->add_flag("--all", o->all, "All of the namespace");
    add_wait(*app, o->wait);
  }
  {
    auto o = command(root, chosen, app, "top",
                     "Sets and variants on the whole terminal, as they change; with keys for diff, "
                     "propose and approve",
                     run_top, "  portico top\n  portico top -n staging");
    static_cast<void>(o);
  }
  {
    auto o = command(root, chosen, app, "events", "List what happened, the newest last", run_events,
                     "  portico events\n  portico events --for pv/web-edge01 --types Warning");
    app->add_option("--for", o->about, "Only about this object: TYPE/NAME");
    app->add_option("--types", o->types, "Only Normal or Warning")->delimiter(',');
    add_output(*app, o->output);
    app->add_flag("-A,--all-namespaces", o->all_namespaces, "Of every namespace");
    app->add_flag("--no-headers", o->no_headers, "Without the head line");
  }
}

}  // namespace portico::cli
