#include "schema/internal/rule_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace portico::schema::internal {
namespace {

constexpr std::array<std::string_view, 21> kReserved = {
    "true",     "false",   "null",      "in",       "as",  "break",  "const",
    "continue", "else",    "for",       "function", "if",  "import", "let",
    "loop",     "package", "namespace", "return",   "var", "void",   "while"};

constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
    {"__", "__underscores__"}, {".", "__dot__"}, {"-", "__dash__"}, {"/", "__slash__"}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

std::optional<std::string> escaped(std::string_view name) {
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) return std::nullopt;
  if (!std::all_of(name.begin(), name.end(), [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' ||
               c == '/';
      }))
    return std::nullopt;
  if (std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end())
    return "__" + std::string(name) + "__";
  std::string out;
  while (!name.empty()) {
    std::size_t size = 1;
    std::string_view as = name.substr(0, 1);
    for (const auto& [plain, escape] : kEscapes) {
      if (!name.starts_with(plain)) continue;
      size = plain.size();
      as = escape;
      break;
    }
    out += as;
    name.remove_prefix(size);
  }
  return out;
}

std::string unescaped(std::string_view name) {
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) {
    const std::string_view inside = name.substr(2, name.size() - 4);
    if (std::find(kReserved.begin(), kReserved.end(), inside) != kReserved.end())
      return std::string(inside);
  }
  std::string out;
  while (!name.empty()) {
    std::size_t size = 1;
    std::string_view as = name.substr(0, 1);
    for (const auto& [plain, escape] : kEscapes) {
      if (!name.starts_with(escape)) continue;
      size = escape.size();
      as = plain;
      break;
    }
    out += as;
    name.remove_prefix(size);
  }
  return out;
}

}  // namespace portico::schema::internal
