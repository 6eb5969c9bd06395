#include <filesystem>
#include <iostream>

#include "cli/api_server.h"
#include "cli/commands.h"
#include "cli/embedded_engine.h"
#include "cli/state.h"
#include "cli/stop.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

#ifndef PORTICO_VERSION
#define PORTICO_VERSION "0.0.0"
#endif

namespace portico::cli {
Result<Exit> run_serve(const ServeOptions& options, Context& context) {
  if (context.deadline.seconds() > 0)
    return invalid("--timeout: this command runs until it is stopped");
  PORTICO_TRY(const telemetry::LogFormat format, telemetry::parse_log_format(options.log_format),
              "--log-format");
  const LogLevel least = context.globals.verbose > 0 ? LogLevel::kDebug : LogLevel::kInfo;
  std::unique_ptr<telemetry::Metrics> metrics;
  if (!options.metrics.empty()) {
    PORTICO_TRY(metrics, telemetry::Metrics::serve(options.metrics), "--metrics");
    metrics->set("portico_build_info", "Always 1, with the version.",
                 {{"version", PORTICO_VERSION}}, 1);
  }
  PORTICO_TRY(const std::string folder, find_state(context.globals.state));
  PORTICO_TRY(const auto engine,
              EmbeddedEngine::open(context, {.folder = folder,
                                             .use = EmbeddedEngine::Use::kServe,
                                             .log = telemetry::make_log(format, least, std::cerr),
                                             .meter = metrics.get()}));
  const std::atomic<bool>& stop = stop_asked();
  listen_for_dump();
  PORTICO_TRY(
      const auto api,
      ApiServer::start({.folder = folder, .listen = options.listen, .version = PORTICO_VERSION},
                       *engine));
  if (!options.listen.empty())
    context.terminal.print("Kubernetes API at {}; export KUBECONFIG={}\n", api->url(),
                           kubeconfig_path(folder));
  context.terminal.print("serving {}; stop with Ctrl-C\n", folder);
  if (metrics) context.terminal.print("metrics at http://{}/metrics\n", metrics->address());
  context.terminal.flush();
  PORTICO_DO(engine->serve(stop, std::chrono::seconds(options.resync_seconds), dump_asked));
  context.terminal.print("stopped\n");
  return 0;
}

Result<Exit> run_kubeconfig(const KubeconfigOptions&, Context& context) {
  PORTICO_TRY(const std::string folder, find_state(context.globals.state));
  const std::string path = kubeconfig_path(folder);
  if (!std::filesystem::exists(path))
    return not_found("there is no {}: start `portico serve --listen 127.0.0.1:6443` first", path);
  context.terminal.print("{}\n", path);
  return 0;
}

Result<Exit> run_version(Context& context) {
  context.terminal.print("portico {}\n", PORTICO_VERSION);
  return 0;
}

}  // namespace portico::cli
