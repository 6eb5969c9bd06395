// Trace export of a long-running command.
#pragma once

#include <memory>
#include <string>

#include "base/log.h"
#include "base/meter.h"
#include "base/result.h"
#include "telemetry/traces.h"

namespace portico::cli {

/// Uses the flag --traces ("": not given) and the environment (telemetry/trace_settings.h); null if
/// neither names a collector. `meter` may be null, otherwise it must outlive the result.
Result<std::unique_ptr<telemetry::Traces>> start_traces(const std::string& flag,
                                                        std::shared_ptr<Log> log, Meter* meter);

}  // namespace portico::cli
