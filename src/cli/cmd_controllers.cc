#include "cli/commands.h"
#include "cli/telemetry.h"
#include "engine/fleet_engine.h"
#include "engine/stop.h"

namespace portico::cli {

Result<Exit> run_controllers(const ControllersOptions& options, Context& context) {
  PORTICO_TRY(const std::shared_ptr<Log> log, log_of_process(options.log_format, context));
  if (!context.globals.state.empty())
    return invalid(
        "--state: `portico controllers` works on a cluster; use `portico serve` for a state "
        "folder");
  PORTICO_TRY(const Telemetry telling, start_telling(options.traces, log));
  const std::atomic<bool>& stop = engine::stop_asked();
  PORTICO_TRY(const auto engine,
              engine::FleetEngine::make(
                  context, {.ns = context.globals.ns_said ? context.globals.ns : "",
                            .lease_ns = options.lease_ns,
                            .lease = options.lease,
                            .lease_duration = std::chrono::seconds(options.lease_seconds),
                            .log = log,
                            .meter = telling.metrics.get(),
                            .tracer = telling.traces.get()}));
  PORTICO_TRY(const auto probes,
              start_probes(telling, options.metrics, [&] { return engine->ready(); }));
  context.terminal.print("controllers of {}; stop with Ctrl-C\n", engine->server());
  say_where(telling, probes.get(), context.terminal);
  context.terminal.flush();
  PORTICO_DO(engine->run(stop));
  context.terminal.print("stopped\n");
  return 0;
}

}  // namespace portico::cli
