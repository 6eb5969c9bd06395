#include "functions/internal/depends_on.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "functions/internal/fields.h"

namespace portico::functions {

namespace {

constexpr std::string_view kAnnotation = "config.kubernetes.io/depends-on";

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// Applies `change` to the entry and keeps the blanks around it.
std::string changed(const std::string& text, const std::function<void(Dependency&)>& change) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return text;
  const std::size_t end = text.find_last_not_of(' ') + 1;
  const auto parts = split(std::string_view(text).substr(begin, end - begin), '/');
  const bool namespaced = parts.size() == 5 && parts[1] == "namespaces";
  if (!namespaced && parts.size() != 3) return text;
  Dependency one{parts[0], namespaced ? parts[2] : "", parts[parts.size() - 2], parts.back()};
  change(one);
  return text.substr(0, begin) +
         (namespaced ? fmt::format("{}/namespaces/{}/{}/{}", one.group, one.ns, one.kind, one.name)
                     : fmt::format("{}/{}/{}", one.group, one.kind, one.name)) +
         text.substr(end);
}

}  // namespace

json::Value with_dependencies(const json::Value& value,
                              const std::function<void(Dependency&)>& change) {
  const FieldPath path{"metadata", "annotations", kAnnotation};
  return change_at(value, path, Missing::kSkip, [&](const json::Value& have) -> json::Value {
    if (!have.is_string()) return have;
    std::string text;
    for (const std::string& entry : split(have.as_string(), ','))
      text += (text.empty() ? "" : ",") + changed(entry, change);
    return text == have.as_string() ? have : json::Value(text);
  });
}

}  // namespace portico::functions
