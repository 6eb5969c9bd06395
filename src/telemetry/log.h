// Log lines for people and for log processors.
#pragma once

#include <memory>
#include <ostream>
#include <string_view>

#include "base/log.h"
#include "base/result.h"

namespace portico::telemetry {

/// kText: "2026-01-31T12:00:00.000Z info drafted object=default/web run=1f2e3d4c", values with
/// blanks or quotes as JSON strings. kJson: one object per line, with "time", "level", "message"
/// and the fields as string members.
enum class LogFormat { kText, kJson };

/// "text" or "json"; kInvalid otherwise.
Result<LogFormat> parse_log_format(std::string_view text);

/// Writes lines at level `least` and above, each in one piece and flushed; times are UTC. Removes
/// secrets from messages and values. `to` must outlive the log.
std::unique_ptr<Log> make_log(LogFormat format, LogLevel least, std::ostream& to);

}  // namespace portico::telemetry
