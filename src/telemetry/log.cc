#include "telemetry/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>

#include "base/printable.h"
#include "base/secrets.h"
#include "json/text.h"
#include "json/value.h"

namespace portico::telemetry {
namespace {

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

// A JSON string for text that may not be UTF-8.
std::string quoted(std::string_view text) { return json::print(json::Value(printable(text))); }

std::string text_value(const std::string& value) {
  const bool plain = !value.empty() && value.find_first_of(" \t\n\r\"=\\") == std::string::npos;
  return plain ? printable(value) : quoted(value);
}

class SpdLog : public Log {
 public:
  SpdLog(LogFormat format, LogLevel least, std::ostream& to)
      : json_(format == LogFormat::kJson),
        logger_("portico", std::make_shared<spdlog::sinks::ostream_sink_mt>(to, true)) {
    constexpr const char* kText = "%Y-%m-%dT%H:%M:%S.%eZ %l %v";
    constexpr const char* kJson = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})";
    logger_.set_formatter(std::make_unique<spdlog::pattern_formatter>(
        json_ ? kJson : kText, spdlog::pattern_time_type::utc, "\n"));
    logger_.set_level(level_of(least));
  }

  void write(LogLevel level, std::string_view message,
             std::initializer_list<LogField> fields) override {
    if (!logger_.should_log(level_of(level))) return;
    std::string line = without_secrets(message);
    line = json_ ? "\"message\":" + quoted(line) : printable(line);
    for (const LogField& field : fields) {
      const std::string value = without_secrets(field.value);
      if (json_)
        line.append(",").append(quoted(field.key)).append(":").append(quoted(value));
      else if (!value.empty())
        line.append(" ").append(field.key).append("=").append(text_value(value));
    }
    logger_.log(level_of(level), spdlog::string_view_t(line));
  }

 private:
  const bool json_;
  spdlog::logger logger_;
};

}  // namespace

Result<LogFormat> parse_log_format(std::string_view text) {
  if (text == "text") return LogFormat::kText;
  if (text == "json") return LogFormat::kJson;
  return invalid("{:?} is not a log format; use text or json", text);
}

std::unique_ptr<Log> make_log(LogFormat format, LogLevel least, std::ostream& to) {
  return std::make_unique<SpdLog>(format, least, to);
}

}  // namespace portico::telemetry
