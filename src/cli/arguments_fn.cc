#include "cli/command_line.h"

namespace portico::cli {

namespace {

void add_running(CLI::App& app, FnRunOptions& run) {
  app.add_option("-o,--output", run.output,
                 "stdout: print a ResourceList; unwrap: print the resources; or a new folder");
  app.add_option("--results-dir", run.results_dir, "Folder for results.yaml");
  app.add_flag("--allow-exec", run.allow_exec, "Allow functions that are programs (exec)");
  // For kpt compatibility: WebAssembly images of built-in functions run built in; others are not
  // supported.
  app.add_flag("--allow-alpha-wasm")->group("");
  app.add_flag("--no-sandbox", run.no_sandbox,
               "Run programs without the sandbox, with all your permissions");
  app.add_flag("--no-builtin", run.no_builtin,
               "Do not use the built-in functions: run their images as well");
  app.add_flag("--allow-network,--network", run.network,
               "Allow programs and containers to use the network");
  app.add_option("--image-pull-policy", run.pull, "Always, IfNotPresent or Never")
      ->capture_default_str();
  app.add_option(
      "--image-prefix", run.image_prefix,
      "Prefix for image names without '/' (default: $KPT_IMAGE_PREFIX, else that of the catalog)");
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

}  // namespace

void add_fn(CLI::App& root, Command& chosen, const std::vector<std::string>& behind) {
  CLI::App* fn = root.add_subcommand("fn", "Run KRM functions on a folder, as kpt fn does");
  fn->require_subcommand(1);
  CLI::App* app = nullptr;
  {
    auto o =
        command(*fn, chosen, app, "render", "Run the pipelines of a package", run_fn_render,
                "  portico fn render web\n  portico fn render web -o unwrap | kubectl apply -f -\n"
                "  portico fn render web --allow-exec --results-dir out");
    app->add_option("dir", o->dir, "Package folder")->capture_default_str();
    add_running(*app, o->run);
    app->add_flag("--no-status", o->no_status, "Do not write the render status into the Kptfile");
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
    app->add_option("--exec", o->exec, "Program to run as the function, with its arguments");
    app->add_option("--tag", o->tag, "Image version, or a constraint on it");
    app->add_option("--fn-config", o->config, "File with the functionConfig");
    add_running(*app, o->run);
    add_selector(*app, o->match, "match", "Only resources");
    add_selector(*app, o->exclude, "exclude", "No resources");
    app->add_option("-e,--env", o->environment,
                    "NAME=value, or NAME: environment variable for the program or container; can "
                    "be repeated")
        ->expected(1)
        ->take_all();
    app->add_option("--mount", o->mounts,
                    "Mount for the program or container: type=bind,src=PATH,dst=PATH[,rw=true]; "
                    "can be repeated")
        ->expected(1)
        ->take_all();
    app->add_flag("--as-current-user", o->as_current_user,
                  "Run the container as the current user, not as nobody");
    app->add_flag("-s,--save", o->save, "Add the function to the pipeline of the Kptfile");
    app->add_option("-t,--type", o->type, "With --save: mutator or validator");
    app->add_flag("--include-meta-resources", o->include_meta)->group("");
  }
  {
    auto o =
        command(*fn, chosen, app, "source", "Print the resources of a folder as a ResourceList",
                run_fn_source, "  portico fn source web");
    app->add_option("dir", o->dir, "Folder")->capture_default_str();
    app->add_option("-o,--output", o->output, "stdout or unwrap")->capture_default_str();
    app->add_option("--fn-config", o->config, "File to use as the functionConfig of the list");
  }
  {
    auto o = command(*fn, chosen, app, "sink", "Write a ResourceList into a new folder",
                     run_fn_sink, "  portico fn source web | portico fn sink copy");
    app->add_option("dir", o->dir, "Folder to create")->required();
  }
  {
    auto o = command(*fn, chosen, app, "list", "List the built-in functions", run_fn_list,
                     "  portico fn list");
    static_cast<void>(o);
  }
  {
    auto o = command(*fn, chosen, app, "doc", "Show the documentation of a built-in function",
                     run_fn_doc, "  portico fn doc set-namespace");
    app->add_option("name", o->name, "Name or image of the function")->required();
  }
  {
    auto o = command(*fn, chosen, app, "run",
                     "Run one built-in function as a KRM function program (ResourceList on "
                     "standard input and output)",
                     run_fn_run,
                     "  portico fn source web | portico fn run set-namespace > list.yaml\n"
                     "  kpt fn eval web --exec 'portico fn run set-labels' -- tier=web");
    app->add_option("image", o->image, "Name or image of the function")->required();
  }
}

}  // namespace portico::cli
