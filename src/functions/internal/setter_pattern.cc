#include "functions/internal/setter_pattern.h"

#include <fmt/format.h>
#include <re2/re2.h>

namespace portico::functions {

namespace {

constexpr std::string_view kIdentifier = "# kpt-set: ";
// Far more names than occur in practice; bounds the memory of the regular expression.
constexpr std::size_t kMaxNames = 50;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Calls `literal` and `name` for the pieces of `pattern` in turn.
template <class Literal, class Name>
void for_pieces(std::string_view pattern, const Literal& literal, const Name& name) {
  while (true) {
    const std::size_t open = pattern.find("${");
    const std::size_t close = open == std::string_view::npos ? open : pattern.find('}', open);
    if (close == std::string_view::npos) break;
    literal(pattern.substr(0, open));
    name(pattern.substr(open + 2, close - open - 2));
    pattern.remove_prefix(close + 1);
  }
  literal(pattern);
}

}  // namespace

std::optional<std::string> setter_pattern(std::string_view comment) {
  if (!comment.starts_with(kIdentifier)) return std::nullopt;
  const std::string_view pattern = trimmed(comment.substr(kIdentifier.size()));
  if (pattern.empty()) return std::nullopt;
  return std::string(pattern);
}

std::vector<std::string> setter_names(std::string_view pattern) {
  std::vector<std::string> names;
  for_pieces(
      pattern, [](std::string_view) {}, [&](std::string_view name) { names.emplace_back(name); });
  return names;
}

std::optional<std::string> only_setter(std::string_view pattern) {
  auto names = setter_names(pattern);
  if (names.size() != 1 || names[0].size() + 3 != pattern.size()) return std::nullopt;
  return std::move(names[0]);
}

std::string filled(std::string_view pattern, const Setters& setters) {
  std::string result;
  for_pieces(
      pattern, [&](std::string_view text) { result += text; },
      [&](std::string_view name) {
        const auto at = setters.find(std::string(name));
        result += at == setters.end() ? fmt::format("${{{}}}", name) : at->second;
      });
  return result;
}

Setters derived(std::string_view pattern, std::string_view value) {
  std::string expression;
  std::vector<std::string> names;
  for_pieces(
      pattern, [&](std::string_view text) { expression += RE2::QuoteMeta(std::string(text)); },
      [&](std::string_view name) {
        names.emplace_back(name);
        expression += "(.*)";
      });
  if (names.empty() || names.size() > kMaxNames) return {};
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 compiled(expression, options);
  if (!compiled.ok()) return {};
  std::vector<std::string> values(names.size());
  std::vector<RE2::Arg> arguments;
  std::vector<const RE2::Arg*> pointers;
  arguments.reserve(values.size());
  for (std::string& one : values) pointers.push_back(&arguments.emplace_back(&one));
  const std::string text(value);
  if (!RE2::PartialMatchN(text, compiled, pointers.data(), static_cast<int>(pointers.size())))
    return {};
  Setters result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (values[i].empty()) return {};
    result[names[i]] = values[i];
  }
  return result;
}

}  // namespace portico::functions
