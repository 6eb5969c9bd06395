// Where the traces of a command go that runs until it is stopped.
#pragma once

#include <memory>
#include <string>

#include "base/log.h"
#include "base/meter.h"
#include "base/result.h"
#include "telemetry/traces.h"

namespace portico::cli {

/// By the flag --traces ("": not given) and the environment (telemetry/trace_settings.h); null
/// where neither names a collector. `meter` may be null, else it must outlive what comes back.
Result<std::unique_ptr<telemetry::Traces>> start_traces(const std::string& flag,
                                                        std::shared_ptr<Log> log, Meter* meter);

}  // namespace portico::cli
