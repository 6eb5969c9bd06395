#include "cel/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "cel/utf8.h"

namespace portico::cel {

Position position_of(std::string_view source, std::uint32_t offset) {
  const std::string_view before = source.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  Position at;
  at.line = 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
  at.column = 1 + static_cast<std::uint32_t>(count_code_points(before.substr(start)));
  return at;
}

std::string one_line(const Issue& issue, std::string_view source) {
  const Position at = position_of(source, issue.offset);
  return fmt::format("{}:{}: {}", at.line, at.column, printable(issue.message));
}

std::string display(const std::vector<Issue>& issues, std::string_view source,
                    std::string_view name) {
  std::string out;
  for (const Issue& issue : issues) {
    const Position at = position_of(source, issue.offset);
    const std::size_t offset = std::min<std::size_t>(issue.offset, source.size());
    const std::size_t newline = source.substr(0, offset).rfind('\n');
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    std::string line(source.substr(start, source.find('\n', start) - start));
    for (char& c : line)
      if (static_cast<unsigned char>(c) < ' ') c = ' ';  // keeps the width
    if (!out.empty()) out += '\n';
    out += fmt::format("ERROR: {}:{}:{}: {}\n | {}\n | {}^", name, at.line, at.column,
                       printable(issue.message), line, std::string(at.column - 1, '.'));
  }
  return out;
}

std::string excerpt(std::string_view source, Span span) {
  constexpr std::size_t kMost = 60;
  if (span.begin >= span.end || span.begin >= source.size()) return "";
  std::string out(source.substr(span.begin, span.end - span.begin));
  std::replace(out.begin(), out.end(), '\n', ' ');
  out = printable(out);
  if (out.size() > kMost) {
    std::size_t cut = kMost - 3;
    while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xc0) == 0x80) --cut;
    out = out.substr(0, cut) + "...";
  }
  return out;
}

}  // namespace portico::cel
