// Logs, metrics, traces and probes of a long-running process.
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

/// kInvalid if --timeout was given, which a long-running command does not support, and for an
/// unknown format.
Result<std::shared_ptr<Log>> log_of_process(const std::string& format, const Context& context);

/// For a process on a cluster.
struct Telemetry {
  std::unique_ptr<telemetry::Metrics> metrics;  // includes the version
  std::unique_ptr<telemetry::Traces> traces;    // may be null
};
/// `traces`: the value of --traces.
Result<Telemetry> start_telling(const std::string& traces, const std::shared_ptr<Log>& log);
/// Null if `address` (--metrics) is "". `telling`, and what `ready` uses, must outlive the probes.
Result<std::unique_ptr<engine::Probes>> start_probes(const Telemetry& telling,
                                                     const std::string& address,
                                                     std::function<Result<Done>()> ready);
/// Prints where the probes are (if not null) and where traces go.
void say_where(const Telemetry& telling, const engine::Probes* probes, Terminal& terminal);

/// Sets portico_build_info.
void say_build(telemetry::Metrics& metrics);

}  // namespace portico::cli
