// Points in time and Kubernetes' texts for them. Pure; who asks for the time is base/clock.h.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico {

using TimePoint = std::chrono::sys_time<std::chrono::milliseconds>;

/// "2026-11-21T10:59:00Z": UTC, whole seconds, as metav1.Time prints.
std::string rfc3339(TimePoint time);

/// Reads what rfc3339 writes, with or without fraction and with any zone offset.
Result<TimePoint> parse_rfc3339(std::string_view text);

}  // namespace portico
