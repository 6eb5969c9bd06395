#include <sys/resource.h>

#include <filesystem>

#include "base/secret_file.h"
#include "cli/commands.h"
#include "cli/printer.h"
#include "cli/telemetry.h"
#include "cli/tracing.h"
#include "cli/undefined_kinds.h"
#include "engine/api_server.h"
#include "engine/cluster_server.h"
#include "engine/embedded_engine.h"
#include "engine/operations.h"
#include "engine/state.h"
#include "engine/stop.h"
#include "engine/version.h"
#include "json/text.h"
#include "telemetry/metrics.h"

namespace portico::cli {

namespace {

constexpr std::size_t kMostPem = std::size_t{1} << 20;

// Each connection needs a file descriptor, and the default soft limit is low.
void allow_many_files() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

Result<std::optional<identity::OidcOptions>> oidc_options(const ServeOptions& options) {
  if (options.oidc_issuer.empty()) return std::optional<identity::OidcOptions>();
  identity::OidcOptions out{.issuer = options.oidc_issuer,
                            .client_id = options.oidc_client_id,
                            .username_claim = options.oidc_username_claim,
                            .username_prefix = options.oidc_username_prefix,
                            .groups_claim = options.oidc_groups_claim,
                            .groups_prefix = options.oidc_groups_prefix};
  for (const std::string& claim : options.oidc_required_claims) {
    const std::size_t equal = claim.find('=');
    if (equal == std::string::npos || equal == 0)
      return invalid("--oidc-required-claim: \"{}\" is not KEY=VALUE", claim);
    out.required_claims[claim.substr(0, equal)] = claim.substr(equal + 1);
  }
  if (!options.oidc_ca.empty()) {
    PORTICO_TRY(out.ca, read_small_file(options.oidc_ca, kMostPem), "--oidc-ca-file");
  }
  return std::optional(std::move(out));
}

Result<engine::ApiServer::Options> api_options(const ServeOptions& options,
                                               const std::string& folder) {
  engine::ApiServer::Options out{
      .folder = folder, .listen = options.listen, .version = std::string(engine::version())};
  out.tls_certificate = options.tls_certificate;
  out.tls_key = options.tls_key;
  out.names = options.tls_names;
  out.client_ca = options.client_ca;
  out.identities.token_file = options.token_file;
  out.identities.front_proxy_ca = options.front_proxy_ca;
  out.identities.front_proxy_names = options.front_proxy_names;
  PORTICO_TRY(out.identities.oidc, oidc_options(options));
  if (!options.audit_log.empty())
    out.audit =
        engine::AuditFile::Options{.path = options.audit_log,
                                   .bytes = static_cast<std::size_t>(options.audit_mebibytes) << 20,
                                   .kept = options.audit_kept};
  return out;
}

Result<Exit> serve_folder(const ServeOptions& options, Context& context,
                          const std::shared_ptr<Log>& log) {
  std::unique_ptr<telemetry::Metrics> metrics;
  if (!options.metrics.empty()) {
    PORTICO_TRY(metrics, telemetry::Metrics::serve(options.metrics), "--metrics");
  } else if (!options.listen.empty()) {
    metrics = telemetry::Metrics::make();  // for users who may read /metrics of the API
  }
  if (metrics) say_build(*metrics);
  PORTICO_TRY(const auto traces, start_traces(options.traces, log, metrics.get()));
  PORTICO_TRY(const std::string folder, engine::find_state(context.globals.state));
  context.globals.forget_lost_secrets = options.forget_lost_secrets;
  // The cluster's garbage collector deletes the dependents of the cluster's own objects.
  const bool in_a_cluster = options.without_controllers || !options.front_proxy_ca.empty();
  PORTICO_TRY(const auto engine, engine::EmbeddedEngine::open(
                                     context, {.folder = folder,
                                               .use = engine::EmbeddedEngine::Use::kServe,
                                               .log = log,
                                               .meter = metrics.get(),
                                               .tracer = traces.get(),
                                               .without_controllers = options.without_controllers,
                                               .owners_elsewhere = in_a_cluster}));
  PORTICO_TRY(const auto undefined, undefined_kinds(engine->registry()));
  for (const auto& [kind, version] : undefined)
    engine->log().warning("kind without a CustomResourceDefinition: its objects are not served",
                          {{"kind", kind.kind + "." + kind.group}});
  const std::atomic<bool>& stop = engine::stop_asked();
  engine::listen_for_dump();
  PORTICO_TRY(engine::ApiServer::Options wanted, api_options(options, folder));
  if (metrics) wanted.metrics = [&metrics] { return metrics->text(); };
  engine::EngineOperations operations(*engine);
  PORTICO_TRY(const auto api, engine::ApiServer::start(wanted, {.registry = engine->registry(),
                                                                .packages = engine->packages(),
                                                                .drafts = engine->drafts(),
                                                                .clock = engine->clock(),
                                                                .log = engine->log(),
                                                                .operations = &operations,
                                                                .meter = metrics.get(),
                                                                .tracer = traces.get()}));
  if (!options.listen.empty())
    context.terminal.print("Kubernetes API at {}; export KUBECONFIG={}\n", api->url(),
                           engine::kubeconfig_path(folder));
  context.terminal.print("serving {}; stop with Ctrl-C\n", folder);
  if (!options.metrics.empty())
    context.terminal.print("metrics at http://{}/metrics\n", metrics->address());
  if (traces) context.terminal.print("traces to {}\n", traces->url());
  context.terminal.flush();
  PORTICO_DO(engine->serve(stop, std::chrono::seconds(options.resync_seconds), engine::dump_asked));
  context.terminal.print("stopped\n");
  return 0;
}

Result<Exit> serve_cluster(const ServeOptions& options, Context& context,
                           const std::shared_ptr<Log>& log) {
  if (context.globals.state.empty())
    return invalid("--kubernetes: --state is required: a folder for mirrors and certificates");
  if (context.globals.ns_said) return invalid("-n: a server serves all namespaces; omit it");
  PORTICO_TRY(const Telemetry telling, start_telling(options.traces, log));
  const std::atomic<bool>& stop = engine::stop_asked();
  PORTICO_TRY(engine::ApiServer::Options api, api_options(options, context.globals.state));
  api.metrics = [&metrics = *telling.metrics] { return metrics.text(); };
  PORTICO_TRY(const auto server,
              engine::ClusterServer::make(
                  context, {.folder = context.globals.state,
                            .lease_ns = options.lease_ns,
                            .group = options.members,
                            .lease_duration = std::chrono::seconds(options.lease_seconds),
                            .resync = std::chrono::seconds(options.resync_seconds),
                            .local_repositories = options.allow_local_repositories,
                            .api = std::move(api),
                            .log = log,
                            .meter = telling.metrics.get(),
                            .tracer = telling.traces.get()}));
  PORTICO_TRY(const auto probes,
              start_probes(telling, options.metrics, [&] { return server->ready(); }));
  say_where(telling, probes.get(), context.terminal);
  context.terminal.flush();
  PORTICO_DO(server->run(stop, [&](const std::string& url) {
    context.terminal.print("Kubernetes API at {}, for {}; stop with Ctrl-C\n", url,
                           server->cluster());
    context.terminal.flush();
  }));
  context.terminal.print("stopped\n");
  return 0;
}

}  // namespace

Result<Exit> run_serve(const ServeOptions& options, Context& context) {
  allow_many_files();
  PORTICO_TRY(const std::shared_ptr<Log> log, log_of_process(options.log_format, context));
  return options.kubernetes ? serve_cluster(options, context, log)
                            : serve_folder(options, context, log);
}

Result<Exit> run_kubeconfig(const KubeconfigOptions&, Context& context) {
  PORTICO_TRY(const std::string folder, engine::find_state(context.globals.state));
  const std::string path = engine::kubeconfig_path(folder);
  if (!std::filesystem::exists(path))
    return not_found("not found: {}; start `portico serve --listen 127.0.0.1:6443` first", path);
  context.terminal.print("{}\n", path);
  return 0;
}

Result<Exit> run_version(const VersionOptions& options, Context& context) {
  const json::Value version = json::Value::object(
      {{"clientVersion", json::Value::object({{"gitVersion", engine::version()}})}});
  if (options.output == "json")
    context.terminal.print("{}\n", json::print_pretty(version));
  else if (options.output == "yaml")
    context.terminal.write(to_yaml(version));
  else
    context.terminal.print("portico {}\n", engine::version());
  return 0;
}

}  // namespace portico::cli
