// Points in time and their text form in Kubernetes. Pure; base/clock.h reads the clock.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico {

using TimePoint = std::chrono::sys_time<std::chrono::milliseconds>;

/// "2026-11-21T10:59:00Z": UTC, whole seconds, as metav1.Time prints.
std::string rfc3339(TimePoint time);

/// Parses RFC 3339 with or without a fraction and with any zone offset.
Result<TimePoint> parse_rfc3339(std::string_view text);

}  // namespace portico
