// Kubernetes' time texts. Pure.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico {

/// "2026-11-21T10:59:00Z": UTC, whole seconds, as metav1.Time prints.
std::string rfc3339(std::chrono::sys_time<std::chrono::milliseconds> time);

/// Reads what rfc3339 writes, with or without fraction and with any zone offset.
Result<std::chrono::sys_time<std::chrono::milliseconds>> parse_rfc3339(std::string_view text);

}  // namespace portico
