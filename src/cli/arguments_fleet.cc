#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/debug_commands.h"
#include "cli/migration.h"

namespace portico::cli {

namespace {

void add_json(CLI::App& app, std::string& output) {
  app.add_option("-o,--output", output, "json, for programs")->check(one_of({"json"}));
}

}  // namespace

static void add_log_format(CLI::App& app, std::string& format) {
  app.add_option("--log-format", format,
                 "Lines on standard error: text, or json (one object a line)")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
}

static void add_traces(CLI::App& app, std::string& url) {
  app.add_option("--traces", url,
                 "URL of a collector of OpenTelemetry; traces are sent to URL/v1/traces. Without "
                 "it what OTEL_EXPORTER_OTLP_ENDPOINT says in the environment");
}

void add_fleet(CLI::App& root, Command& chosen) {
  CLI::App* app = nullptr;
  {
    auto o = command(root, chosen, app, "tree", "Sets, their variants and package revisions",
                     run_tree, "  portico tree\n  portico tree web");
    app->add_option("name", o->name, "Only this set or variant");
    app->add_option("-o,--output", o->output, "json, for programs; or name: TYPE/NAME of each")
        ->check(one_of({"json", "name"}));
  }
  {
    auto o = command(root, chosen, app, "status", "The fleet at a glance, failing objects first",
                     run_status,
                     "  portico status\n  portico status --edited\n"
                     "  portico status --edited -o json");
    app->add_flag("-A,--all-namespaces", o->all_namespaces, "Of every namespace");
    add_json(*app, o->output);
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
    add_json(*app, o->output);
  }
  {
    auto o = command(root, chosen, app, "explain",
                     "Why a variant is as it is, or what the fields of a kind are for", run_explain,
                     "  portico explain edge-clusters-mgmt-edge01\n"
                     "  portico explain pvs.spec.targets\n"
                     "  portico explain edge-clusters-mgmt-edge01 "
                     "--field web.yaml:Deployment/web:spec.replicas");
    app->add_option("name", o->name,
                    "PackageVariant, also as TYPE/NAME; with --field also a package revision. Or "
                    "KIND[.FIELD...]")
        ->required();
    app->add_option("object", o->object, "Name, where the first word is a type");
    add_json(*app, o->output);
    app->add_flag("--recursive", o->recursive, "Of a kind: all fields below, by name and type");
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
                        "HOST:PORT of the Kubernetes API, over HTTPS; HOST alone: port 6443; PORT "
                        "alone: of 127.0.0.1; without either 127.0.0.1:6443. Port 0 takes a free "
                        "one. `portico kubeconfig` tells clients how to reach it")
            ->type_name("[HOST:PORT]")
            ->expected(0, 1)
            ->default_str("127.0.0.1:6443");
    add_api_options(*app, *o, listen);
    CLI::Option* const without =
        app->add_flag("--without-controllers", o->without_controllers,
                      "Leave variants, sets and approvals to `portico controllers`; repositories "
                      "are still looked after")
            ->needs(listen);
    add_cluster_options(*app, *o, listen, without);
    app->add_flag("--forget-lost-secrets", o->forget_lost_secrets,
                  "Go on without the content of Secrets whose key is not there any more");
    app->add_option("--resync", o->resync_seconds,
                    "Seconds between looks for changes that others make in the repositories")
        ->capture_default_str();
    add_log_format(*app, o->log_format);
    app->add_option("--metrics", o->metrics,
                    "HOST:PORT at which numbers are served for Prometheus, without asking who "
                    "reads them; port 0 takes a free one");
    add_traces(*app, o->traces);
  }
  {
    auto o =
        command(root, chosen, app, "controllers",
                "Run the controllers on a cluster that has the packages: Porch's", run_controllers,
                "  portico controllers --kubeconfig admin.kubeconfig\n"
                "  portico controllers -n team-a --metrics 127.0.0.1:8080");
    app->add_option("--lease", o->lease, "Name of the Lease that one instance at a time holds")
        ->capture_default_str();
    app->add_option("--lease-namespace", o->lease_ns,
                    "Namespace of the Lease; without it that of the pod, or of the context");
    app->add_option("--lease-seconds", o->lease_seconds,
                    "How long others wait for an instance that says nothing any more")
        ->check(CLI::Range(3, 3600))
        ->capture_default_str();
    add_log_format(*app, o->log_format);
    app->add_option("--metrics", o->metrics,
                    "HOST:PORT at which /metrics, /healthz and /readyz are served, without asking "
                    "who reads them; port 0 takes a free one");
    add_traces(*app, o->traces);
  }
  {
    auto o = command(root, chosen, app, "migrate",
                     "Move repositories, sets and variants between the state folder and a cluster; "
                     "packages stay in git, and what was made stays as it is",
                     run_migrate,
                     "  portico migrate --to-kubernetes --kubeconfig admin.kubeconfig\n"
                     "  portico migrate --to-folder --kubeconfig admin.kubeconfig -n team-a\n"
                     "  portico migrate --from-porch --kubeconfig admin.kubeconfig --dry-run");
    CLI::Option* const cluster =
        app->add_flag("--to-kubernetes", o->to_kubernetes, "From the state folder to the cluster");
    CLI::Option* const folder =
        app->add_flag("--to-folder", o->to_folder,
                      "From the cluster, Porch's or ours, to the state folder")
            ->excludes(cluster);
    CLI::Option* const porch =
        app->add_flag("--from-porch", o->from_porch,
                      "In the cluster itself: what Porch kept is taken over by the servers of "
                      "`portico install --kubernetes --without-porch`. Run it before they are "
                      "installed, and again when they are")
            ->excludes(cluster)
            ->excludes(folder);
    app->add_flag("--dry-run", o->dry_run, "Say what would be done, and write nothing")
        ->needs(porch);
  }
  {
    auto o = command(root, chosen, app, "install",
                     "Print what puts Portico on a cluster: the manifests of deploy/kubernetes",
                     run_install,
                     "  portico install --kubernetes --image registry.example.com/portico:0.1.0 |\n"
                     "    kubectl apply --server-side -f -\n"
                     "  portico install --kubernetes --with-porch -n packages\n"
                     "  portico install --kubernetes --without-porch --replicas 3");
    app->add_flag("--kubernetes", o->kubernetes, "For a Kubernetes cluster")->required();
    CLI::Option* const with =
        app->add_flag("--with-porch", o->with_porch,
                      "The controllers beside Porch, with our definitions; without it one server "
                      "with a volume in Porch's place");
    app->add_flag("--without-porch", o->without_porch,
                  "Servers in Porch's place that keep everything in the cluster, as many as you "
                  "like")
        ->excludes(with);
    app->add_option("--image", o->image,
                    "Image of the program; without it portico:VERSION, as ./dev image names it");
    app->add_option("--replicas", o->replicas,
                    "How many are run, of which a drain takes one at a time; from 3 on they are "
                    "kept on different nodes, and an upgrade takes none away before another is "
                    "ready. Without it two, of one with a volume one")
        ->check(CLI::Range(1, 100));
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
  CLI::App* debug = root.add_subcommand("debug", "See what a server is about");
  debug->require_subcommand(1);
  {
    command(*debug, chosen, app, "dump",
            "Print what `portico serve` does: its threads' work, queues, what waits for what time, "
            "repositories that do not answer. As kill -QUIT has it write itself",
            run_debug_dump,
            "  portico debug dump\n"
            "  portico debug dump --server https://portico.example.com");
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
        ->check(one_of({"all", "pvs"}))
        ->capture_default_str();
  }
  {
    auto shell = std::make_shared<std::string>();
    app = root.add_subcommand("completion", "Print the script by which a shell completes words");
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
