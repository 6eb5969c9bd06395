#include <iostream>

#include "cli/commands.h"
#include "cli/tracing.h"
#include "engine/fleet_engine.h"
#include "engine/probes.h"
#include "engine/stop.h"
#include "engine/version.h"
#include "telemetry/log.h"
#include "telemetry/metrics.h"

namespace portico::cli {

Result<Exit> run_controllers(const ControllersOptions& options, Context& context) {
  if (context.deadline.seconds() > 0)
    return invalid("--timeout: this command runs until it is stopped");
  if (!context.globals.state.empty())
    return invalid(
        "--state: the controllers work on a cluster; for a state folder there is "
        "`portico serve`");
  PORTICO_TRY(const telemetry::LogFormat format, telemetry::parse_log_format(options.log_format),
              "--log-format");
  const LogLevel least = context.globals.verbose > 0 ? LogLevel::kDebug : LogLevel::kInfo;
  const auto metrics = telemetry::Metrics::make();
  metrics->set("portico_build_info", "Always 1, with the version.",
               {{"version", std::string(engine::version())}}, 1);
  const std::shared_ptr<Log> log = telemetry::make_log(format, least, std::cerr);
  PORTICO_TRY(const auto traces, start_traces(options.traces, log, metrics.get()));
  const std::atomic<bool>& stop = engine::stop_asked();
  PORTICO_TRY(const auto engine,
              engine::FleetEngine::make(
                  context, {.ns = context.globals.ns_said ? context.globals.ns : "",
                            .lease_ns = options.lease_ns,
                            .lease = options.lease,
                            .lease_duration = std::chrono::seconds(options.lease_seconds),
                            .log = log,
                            .meter = metrics.get(),
                            .tracer = traces.get()}));
  std::unique_ptr<engine::Probes> probes;
  if (!options.metrics.empty()) {
    PORTICO_TRY(probes,
                engine::Probes::start(options.metrics, *metrics, [&] { return engine->ready(); }),
                "--metrics");
  }
  context.terminal.print("controllers of {}; stop with Ctrl-C\n", engine->server());
  if (probes) context.terminal.print("probes at http://{}\n", probes->address());
  if (traces) context.terminal.print("traces to {}\n", traces->url());
  context.terminal.flush();
  PORTICO_DO(engine->run(stop));
  context.terminal.print("stopped\n");
  return 0;
}

}  // namespace portico::cli
