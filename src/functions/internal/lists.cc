#include "functions/internal/lists.h"

namespace portico::functions {

namespace {

using Visit = std::function<void(const krm::Path&, const json::Value&, const std::string&)>;

void walk(const krm::Object& object, const json::Value& value, krm::Path& path,
          const Visit& visit) {
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      path.emplace_back(i);
      walk(object, value.items()[i], path, visit);
      path.pop_back();
    }
    return;
  }
  for (const json::Member& member : value.members()) {
    path.emplace_back(std::string(member.name()));
    if (member.value.is_array()) visit(path, member.value, object.line_comment(path));
    walk(object, member.value, path, visit);
    path.pop_back();
  }
}

}  // namespace

void visit_lists(const krm::Object& object, const Visit& visit) {
  krm::Path path;
  walk(object, object.value(), path, visit);
}

}  // namespace portico::functions
