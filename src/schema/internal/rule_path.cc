#include "schema/internal/rule_path.h"

namespace portico::schema::internal {
namespace {

/// The name between "['" and "']", with the escapes \' and \\; nullopt if it is not terminated.
/// Moves `at` behind it.
std::optional<std::string> bracketed(std::string_view path, std::size_t& at) {
  if (path.substr(at, 2) != "['") return std::nullopt;
  std::string name;
  for (std::size_t i = at + 2; i < path.size(); ++i) {
    if (path[i] == '\\' && i + 1 < path.size()) {
      name += path[++i];
    } else if (path[i] == '\'') {
      if (path.substr(i, 2) != "']") return std::nullopt;
      at = i + 2;
      return name;
    } else {
      name += path[i];
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> normalized_rule_path(std::string_view path, const Node& node) {
  std::string out;
  const Node* here = &node;
  std::size_t at = 0;
  if (path.empty()) return std::nullopt;
  while (at < path.size()) {
    std::string name;
    const bool brackets = path[at] == '[';
    if (brackets) {
      const auto found = bracketed(path, at);
      if (!found) return std::nullopt;
      name = *found;
    } else if (path[at] == '.') {
      const std::size_t end = std::min(path.find_first_of(".[", at + 1), path.size());
      name = path.substr(at + 1, end - at - 1);
      at = end;
    }
    if (name.empty()) return std::nullopt;
    if (const Node* property = here->property(name)) {
      here = property;
      out += (out.empty() ? "" : ".") + name;
    } else if (here->additional) {
      here = &*here->additional;
      out += "[" + name + "]";
    } else {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace portico::schema::internal
