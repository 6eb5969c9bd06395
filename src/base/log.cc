#include "base/log.h"

#include <cstdio>

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

std::string without_secrets(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t scheme = text.find("://");
    if (scheme == std::string_view::npos) return out.append(text);
    out.append(text.substr(0, scheme + 3));
    text.remove_prefix(scheme + 3);
    const std::string_view rest = text.substr(0, text.find_first_of(" \t\n\"'<>"));
    const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
    std::string_view url = rest;
    if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
      out += "***@";
      url.remove_prefix(at + 1);
    }
    const std::size_t query = url.find('?');
    out.append(url.substr(0, query));
    if (query != std::string_view::npos) out += "?***";
    text.remove_prefix(rest.size());
  }
}

}  // namespace portico
