#include "cli/telemetry.h"

#include <iostream>
#include <utility>

#include "cli/tracing.h"
#include "engine/version.h"
#include "telemetry/log.h"

namespace portico::cli {

Result<std::shared_ptr<Log>> log_of_process(const std::string& format, const Context& context) {
  if (context.deadline.seconds() > 0)
    return invalid("--timeout: this command runs until it is stopped");
  PORTICO_TRY(const telemetry::LogFormat parsed, telemetry::parse_log_format(format),
              "--log-format");
  const LogLevel least = context.globals.verbose > 0 ? LogLevel::kDebug : LogLevel::kInfo;
  return std::shared_ptr<Log>(telemetry::make_log(parsed, least, std::cerr));
}

Result<Telemetry> start_telling(const std::string& traces, const std::shared_ptr<Log>& log) {
  Telemetry out;
  out.metrics = telemetry::Metrics::make();
  say_build(*out.metrics);
  PORTICO_TRY(out.traces, start_traces(traces, log, out.metrics.get()));
  return out;
}

Result<std::unique_ptr<engine::Probes>> start_probes(const Telemetry& telling,
                                                     const std::string& address,
                                                     std::function<Result<Done>()> ready) {
  std::unique_ptr<engine::Probes> none;
  if (address.empty()) return none;
  PORTICO_TRY(auto probes, engine::Probes::start(address, *telling.metrics, std::move(ready)),
              "--metrics");
  return probes;
}

void say_where(const Telemetry& telling, const engine::Probes* probes, Terminal& terminal) {
  if (probes != nullptr) terminal.print("probes at http://{}\n", probes->address());
  if (telling.traces) terminal.print("traces to {}\n", telling.traces->url());
}

void say_build(telemetry::Metrics& metrics) {
  metrics.set("portico_build_info", "Always 1, with the version.",
              {{"version", std::string(engine::version())}}, 1);
}

}  // namespace portico::cli
