#include "cli/tracing.h"

#include <cstdlib>

#include "engine/version.h"

namespace portico::cli {

Result<std::unique_ptr<telemetry::Traces>> start_traces(const std::string& flag,
                                                        std::shared_ptr<Log> log, Meter* meter) {
  std::unique_ptr<telemetry::Traces> none;
  const auto environment = [](const char* name) { return std::getenv(name); };
  PORTICO_TRY(auto settings, telemetry::trace_settings(flag, environment));
  if (!settings) return none;
  return telemetry::Traces::start({.settings = *std::move(settings),
                                   .version = std::string(engine::version()),
                                   .random = telemetry::random_numbers(),
                                   .log = std::move(log),
                                   .meter = meter});
}

}  // namespace portico::cli
