// Log lines for people and for programs that read logs.
#pragma once

#include <memory>
#include <ostream>
#include <string_view>

#include "base/log.h"
#include "base/result.h"

namespace portico::telemetry {

/// kText: "2026-01-31T12:00:00.000Z info drafted object=default/web run=1f2e3d4c", a value with
/// blanks or quotes as a JSON string. kJson: one object a line, with "time", "level", "message" and
/// the fields as members of text.
enum class LogFormat { kText, kJson };

/// "text" or "json"; kInvalid.
Result<LogFormat> parse_log_format(std::string_view text);

/// Lines at `least` and above, each written whole and flushed; times are UTC. Secrets are left out
/// of messages and values. `to` must outlive it.
std::unique_ptr<Log> make_log(LogFormat format, LogLevel least, std::ostream& to);

}  // namespace portico::telemetry
