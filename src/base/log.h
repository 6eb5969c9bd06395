// The log: one line an event, "message key=value ...". Only modules below the pure line may use it.
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

/// Where lines go; cli/ makes one and hands it down. Safe from any thread.
class Log {
 public:
  virtual ~Log() = default;
  virtual void write(LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields) = 0;

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

/// Takes everything and keeps nothing.
class NoLog : public Log {
 public:
  void write(LogLevel, std::string_view, std::initializer_list<LogField>) override {}
};

/// Lines at `least` and above on standard error.
class StderrLog : public Log {
 public:
  explicit StderrLog(LogLevel least) : least_(least) {}
  void write(LogLevel level, std::string_view message,
             std::initializer_list<LogField> fields) override;

 private:
  LogLevel least_;
};

}  // namespace portico
