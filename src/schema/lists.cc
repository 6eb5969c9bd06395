#include "schema/lists.h"

#include <map>

#include "json/text.h"
#include "schema/causes.h"
#include "schema/internal/list_items.h"

namespace portico::schema {
namespace {

using json::Member;
using json::Value;

class Check {
 public:
  void walk(const Node& node, const Value& value) {
    if (value.is_array()) {
      if (node.list_type == ListType::kSet || node.list_type == ListType::kMap)
        duplicates(node, value);
      if (!node.items) return;
      for (std::size_t i = 0; i < value.size(); ++i) {
        Path::Mark mark(path_);
        path_.index(i);
        walk(*node.items, value[i]);
      }
    }
    for (const Member& member : value.members()) {
      if (member.value.empty()) continue;  // mostly scalars
      const Node* property = node.property(member.name());
      if (property == nullptr && !node.additional) continue;
      Path::Mark mark(path_);
      if (property != nullptr) {
        path_.child(member.name());
      } else {
        path_.key(member.name());
      }
      walk(property != nullptr ? *property : *node.additional, member.value);
    }
  }
  std::vector<Cause> take() { return std::move(causes_); }

 private:
  void duplicates(const Node& node, const Value& list) {
    std::map<std::string, int> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool map = node.list_type == ListType::kMap;
      // Items that are not objects have a wrong type, which is reported elsewhere.
      if (map && !list[i].is_object()) continue;
      const Value key = map ? internal::key_of(node, list[i]) : list[i];
      if (++seen[json::print(key)] != 2) continue;
      Path::Mark mark(path_);
      path_.index(i);
      causes_.push_back(duplicate_value(path_.text(), key));
    }
  }

  Path path_;
  std::vector<Cause> causes_;
};

}  // namespace

std::vector<Cause> list_causes(const Value& object, const Schema& schema) {
  Check check;
  check.walk(*schema, object);
  return check.take();
}

}  // namespace portico::schema
