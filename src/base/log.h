// The log: one line per event, with a message and fields. Only modules below the pure line may use
// it.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace portico {

struct LogField {
  std::string_view key;
  std::string value;
};

enum class LogLevel { kDebug, kInfo, kWarning, kError };

/// Destination of log lines; cli/ creates one (telemetry/log.h) and passes it down. Messages are
/// constant, variable data goes into the fields; "run" is the id of one piece of work (work/run.h),
/// "audit_id" that of a request to the API. Thread-safe.
class Log {
 public:
  virtual ~Log() = default;
  virtual void write(LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields) = 0;

  void debug(std::string_view message, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::kDebug, message, fields);
  }
  void info(std::string_view message, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::kInfo, message, fields);
  }
  void warning(std::string_view message, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::kWarning, message, fields);
  }
  void error(std::string_view message, std::initializer_list<LogField> fields = {}) {
    write(LogLevel::kError, message, fields);
  }
};

/// Discards everything.
class NoLog : public Log {
 public:
  void write(LogLevel, std::string_view, std::initializer_list<LogField>) override {}
};

}  // namespace portico
