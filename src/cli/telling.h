// What a process that runs until it is stopped tells of itself: log lines, numbers, traces, health.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/log.h"
#include "base/result.h"
#include "cli/context.h"
#include "engine/probes.h"
#include "telemetry/metrics.h"
#include "telemetry/traces.h"

namespace portico::cli {

/// kInvalid where the command was given a time (--timeout), which is none of this one's, and for an
/// unknown format.
Result<std::shared_ptr<Log>> log_of_process(const std::string& format, const Context& context);

/// Of a process on a cluster.
struct Telling {
  std::unique_ptr<telemetry::Metrics> metrics;  // with the version
  std::unique_ptr<telemetry::Traces> traces;    // may be null
};
/// `traces`: as --traces.
Result<Telling> start_telling(const std::string& traces, const std::shared_ptr<Log>& log);
/// Null where `address` (--metrics) is "". `telling`, and what `ready` asks, outlive them.
Result<std::unique_ptr<engine::Probes>> start_probes(const Telling& telling,
                                                     const std::string& address,
                                                     std::function<Result<Done>()> ready);
/// Lines for people: where the probes are, which may be null, and where traces go.
void say_where(const Telling& telling, const engine::Probes* probes, Terminal& terminal);

/// portico_build_info.
void say_build(telemetry::Metrics& metrics);

}  // namespace portico::cli
