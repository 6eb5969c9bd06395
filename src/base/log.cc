#include "base/log.h"

#include <cstdio>

#include "base/secrets.h"

namespace portico {

void StderrLog::write(LogLevel level, std::string_view message,
                      std::initializer_list<LogField> fields) {
  if (level < least_) return;
  constexpr const char* kNames[] = {"debug", "info", "warning", "error"};
  std::string line = fmt::format("{}: {}", kNames[static_cast<int>(level)], message);
  for (const LogField& field : fields) line += fmt::format(" {}={}", field.key, field.value);
  line = without_secrets(line);
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace portico
