#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/debug_commands.h"
#include "cli/migration.h"

namespace portico::cli {

namespace {

void add_json(CLI::App& app, std::string& output) {
  app.add_option("-o,--output", output, "json")->check(one_of({"json"}));
}

}  // namespace

static void add_log_format(CLI::App& app, std::string& format) {
  app.add_option("--log-format", format,
                 "Format of log lines on standard error: text, or json (one object per line)")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
}

static void add_traces(CLI::App& app, std::string& url) {
  app.add_option("--traces", url,
                 "URL of an OpenTelemetry collector; traces are sent to URL/v1/traces (default: "
                 "$OTEL_EXPORTER_OTLP_ENDPOINT)");
}

void add_fleet(CLI::App& root, Command& chosen) {
  CLI::App* app = nullptr;
  {
    auto o = command(root, chosen, app, "tree",
                     "Show sets, their variants and package revisions as a tree", run_tree,
                     "  portico tree\n  portico tree web");
    app->add_option("name", o->name, "Show only this set or variant");
    app->add_option("-o,--output", o->output, "json, or name: only TYPE/NAME")
        ->check(one_of({"json", "name"}));
  }
  {
    auto o = command(root, chosen, app, "status", "Summarize the fleet, failing objects first",
                     run_status,
                     "  portico status\n  portico status --edited\n"
                     "  portico status --edited -o json");
    app->add_flag("-A,--all-namespaces", o->all_namespaces, "In all namespaces");
    add_json(*app, o->output);
    app->add_flag("--edited", o->edited, "List variants whose packages were edited by users");
  }
  {
    auto o = command(
        root, chosen, app, "plan",
        "Show what apply would do, with the diff of every package, without writing anything. "
        "Without files: what the controllers would do now. Exit status 1 if something fails",
        run_plan,
        "  portico plan -f set.yaml\n  portico plan -f fleet/ --no-diff\n"
        "  portico plan --upstream blueprints/web --to v2\n"
        "  portico plan --label repo/edge01 env=prod\n"
        "  portico plan -f fleet/ --detailed-exitcode -o json");
    app->add_option("-f,--filename", o->files, "File, folder, or - for standard input");
    app->add_option(
        "--upstream", o->upstream,
        "REPO/PACKAGE: plan as if all variants of this package asked for revision --to");
    app->add_option("--to", o->to, "Revision (v3) or workspace for --upstream");
    app->add_option(
           "--label", o->labels,
           "TYPE/NAME key=value, or key-: plan as if the object had this label, or did not have it")
        ->type_size(2)
        ->expected(1)
        ->take_all();
    app->add_flag(
        "--confirm-deletions", o->confirm_deletions,
        "Plan as if the sets in the files were allowed to delete the variants that they hold back");
    app->add_flag("--no-diff", o->no_diff, "Do not print diffs");
    app->add_flag("--detailed-exitcode", o->detailed_exit_code,
                  "Exit status 0: no changes; 1: something fails; 2: changes");
    add_json(*app, o->output);
  }
  {
    auto o = command(root, chosen, app, "explain",
                     "Explain the state of a variant, or the fields of a kind", run_explain,
                     "  portico explain edge-clusters-mgmt-edge01\n"
                     "  portico explain pvs.spec.targets\n"
                     "  portico explain edge-clusters-mgmt-edge01 "
                     "--field web.yaml:Deployment/web:spec.replicas");
    app->add_option("name", o->name,
                    "PackageVariant, or with --field a package revision, as NAME or TYPE/NAME; or "
                    "KIND[.FIELD...]")
        ->required();
    app->add_option("object", o->object, "Name, if the first argument is a type");
    add_json(*app, o->output);
    app->add_flag("--recursive", o->recursive,
                  "For a kind: list all nested fields with their types");
    app->add_option(
        "--field", o->field,
        "Show where the value of this field comes from: [FILE:]KIND[.GROUP]/[NAMESPACE/]NAME:PATH");
  }
  {
    auto o = command(root, chosen, app, "history",
                     "Show the history of a package: what changed, who changed it, when and why",
                     run_history,
                     "  portico history edge-clusters-mgmt-edge01\n"
                     "  portico history edge01/web -o json");
    app->add_option("name", o->name,
                    "PackageVariant, package revision, or package as REPOSITORY/PACKAGE")
        ->required();
    add_json(*app, o->output);
  }
  {
    auto o = command(root, chosen, app, "serve", "Run the controllers until stopped", run_serve,
                     "  portico serve\n"
                     "  portico serve --listen\n"
                     "  portico serve --listen 127.0.0.1:0 --metrics 127.0.0.1:9090 --log-format "
                     "json\n"
                     "  portico serve --listen 0.0.0.0:6443 --tls-cert server.crt --tls-key "
                     "server.key\n"
                     "  portico serve --listen 0.0.0.0:6443 --oidc-issuer-url "
                     "https://login.example.com --oidc-client-id portico\n"
                     "  portico serve --listen 0.0.0.0:6443 --audit-log audit.log\n"
                     "  portico serve --kubernetes --state /var/lib/portico --listen 0.0.0.0:6443");
    CLI::Option* const listen =
        app->add_option("--listen", o->listen,
                        "HOST:PORT of the Kubernetes API (HTTPS). HOST alone means port 6443, PORT "
                        "alone means 127.0.0.1; port 0 takes a free port. `portico kubeconfig` "
                        "prints the kubeconfig for clients")
            ->type_name("[HOST:PORT]")
            ->expected(0, 1)
            ->default_str("127.0.0.1:6443");
    add_api_options(*app, *o, listen);
    CLI::Option* const without =
        app->add_flag("--without-controllers", o->without_controllers,
                      "Do not reconcile variants, sets and approvals: `portico controllers` does "
                      "it. Repositories are still reconciled")
            ->needs(listen);
    add_cluster_options(*app, *o, listen, without);
    app->add_flag("--forget-lost-secrets", o->forget_lost_secrets,
                  "Start without the content of Secrets whose encryption key is lost");
    app->add_option(
           "--resync", o->resync_seconds,
           "Seconds between polls of the repositories for changes that were made outside Portico")
        ->capture_default_str();
    add_log_format(*app, o->log_format);
    app->add_option("--metrics", o->metrics,
                    "HOST:PORT that serves Prometheus metrics, without authentication; port 0 "
                    "takes a free port");
    add_traces(*app, o->traces);
  }
  {
    auto o =
        command(root, chosen, app, "controllers",
                "Run the controllers on a cluster where Porch serves the packages", run_controllers,
                "  portico controllers --kubeconfig admin.kubeconfig\n"
                "  portico controllers -n team-a --metrics 127.0.0.1:8080");
    app->add_option("--lease", o->lease, "Name of the Lease for leader election")
        ->capture_default_str();
    app->add_option("--lease-namespace", o->lease_ns,
                    "Namespace of the Lease (default: that of the pod, else of the context)");
    app->add_option("--lease-seconds", o->lease_seconds,
                    "Lease duration: how long other instances wait before they replace one that "
                    "does not renew it")
        ->check(CLI::Range(3, 3600))
        ->capture_default_str();
    add_log_format(*app, o->log_format);
    app->add_option("--metrics", o->metrics,
                    "HOST:PORT that serves /metrics, /healthz and /readyz, without authentication; "
                    "port 0 takes a free port");
    add_traces(*app, o->traces);
  }
  {
    auto o = command(root, chosen, app, "migrate",
                     "Move repositories, sets and variants between the state folder and a cluster. "
                     "Packages stay in git; existing revisions are not changed",
                     run_migrate,
                     "  portico migrate --to-kubernetes --kubeconfig admin.kubeconfig\n"
                     "  portico migrate --to-folder --kubeconfig admin.kubeconfig -n team-a\n"
                     "  portico migrate --from-porch --kubeconfig admin.kubeconfig --dry-run");
    CLI::Option* const cluster = app->add_flag("--to-kubernetes", o->to_kubernetes,
                                               "Move from the state folder to the cluster");
    CLI::Option* const folder =
        app->add_flag("--to-folder", o->to_folder,
                      "Move from the cluster (Porch's or Portico's) to the state folder")
            ->excludes(cluster);
    CLI::Option* const porch =
        app->add_flag(
               "--from-porch", o->from_porch,
               "Within the cluster: take over what Porch kept, for the servers of `portico install "
               "--kubernetes --without-porch`. Run it before and again after you install them")
            ->excludes(cluster)
            ->excludes(folder);
    app->add_flag("--dry-run", o->dry_run, "Print what would be done; write nothing")->needs(porch);
  }
  {
    auto o = command(root, chosen, app, "install",
                     "Print the manifests that install Portico on a cluster", run_install,
                     "  portico install --kubernetes --image registry.example.com/portico:0.1.0 |\n"
                     "    kubectl apply --server-side -f -\n"
                     "  portico install --kubernetes --with-porch -n packages\n"
                     "  portico install --kubernetes --without-porch --replicas 3");
    app->add_flag("--kubernetes", o->kubernetes, "Install on a Kubernetes cluster")->required();
    CLI::Option* const with =
        app->add_flag("--with-porch", o->with_porch,
                      "Install the controllers next to Porch, with Portico's CRDs (default: one "
                      "server with a volume that replaces Porch)");
    app->add_flag("--without-porch", o->without_porch,
                  "Install servers that replace Porch and keep all state in the cluster; any "
                  "number of replicas")
        ->excludes(with);
    app->add_option("--image", o->image,
                    "Image of Portico (default: portico:VERSION, as ./dev image names it)");
    app->add_option("--replicas", o->replicas,
                    "Number of replicas; a drain evicts one at a time. With 3 or more, replicas "
                    "run on different nodes and an upgrade keeps all of them available (default: "
                    "2; 1 for the server with a volume)")
        ->check(CLI::Range(1, 100));
  }
  {
    auto o = command(root, chosen, app, "kubeconfig",
                     "Print the path of the kubeconfig of `portico serve --listen`", run_kubeconfig,
                     "  export KUBECONFIG=$(portico kubeconfig)");
    static_cast<void>(o);
  }
  {
    auto o = command(root, chosen, app, "fn-runner",
                     "Serve the built-in functions over gRPC (Porch's function evaluator protocol)",
                     run_fn_runner, "  portico fn-runner --listen 0.0.0.0:9445");
    app->add_option("--listen", o->listen, "HOST:PORT; port 0 takes a free port")
        ->capture_default_str();
    app->add_option("--max-message-bytes", o->message_bytes,
                    "Largest message that is received or sent, in bytes")
        ->check(CLI::Range(std::size_t{1} << 10, std::size_t{1} << 30))
        ->capture_default_str();
  }
  CLI::App* debug = root.add_subcommand("debug", "Inspect a running server");
  debug->require_subcommand(1);
  {
    command(*debug, chosen, app, "dump",
            "Print the state of `portico serve`: what its threads do, its queues and retry times, "
            "and repositories that do not respond. SIGQUIT makes the server print the same",
            run_debug_dump,
            "  portico debug dump\n"
            "  portico debug dump --server https://portico.example.com");
  }

  CLI::App* cel = root.add_subcommand("cel", "Work with CEL expressions");
  cel->require_subcommand(1);
  {
    auto o = command(*cel, chosen, app, "eval", "Evaluate an expression", run_cel_eval,
                     "  portico cel eval 'math.greatest(xs)' --var 'xs=[3, 7]'\n"
                     "  portico cel eval --env pvs \"target.labels['region'] + '-web'\" \\\n"
                     "    --var target='{\"labels\": {\"region\": \"east\"}}'");
    app->add_option("expression", o->expression, "Expression")->required();
    app->add_option("--var", o->variables, "Variable, as name=JSON")->expected(1)->take_all();
    app->add_option("--env", o->env,
                    "all: every library, and the variables given by --var; pvs: the environment of "
                    "PackageVariantSet templates")
        ->check(one_of({"all", "pvs"}))
        ->capture_default_str();
  }
  {
    auto shell = std::make_shared<std::string>();
    app = root.add_subcommand("completion", "Print the completion script of a shell");
    app->footer(
        "Examples:\n  source <(portico completion bash)\n"
        "  portico completion fish | source");
    app->add_option("shell", *shell, "Shell")->required()->check(one_of({"bash", "zsh", "fish"}));
    app->callback([&chosen, shell] {
      chosen = [shell](Context& context) -> Result<Exit> {
        context.terminal.write(completion_script(*shell));
        return 0;
      };
    });
  }
  {
    auto o = command(root, chosen, app, "version", "Print the version", run_version,
                     "  portico version\n  portico version -o json");
    app->add_option("-o,--output", o->output, "json or yaml")->check(one_of({"json", "yaml"}));
  }
}

}  // namespace portico::cli
