// FieldsV1: how sets are written in managedFields.
#include "fieldset/set.h"

namespace portico::fieldset {
namespace {

using json::Value;

constexpr int kMaxDepth = 100;

Value written(const Set& set, bool is_member) {
  std::vector<json::Member> members;
  members.reserve(set.nodes().size() + 1);
  for (const Node& node : set.nodes())
    members.push_back({key_of(node.step), written(node.below, node.is_member)});
  if (is_member && !members.empty()) members.push_back({".", Value::object()});
  return Value::object(std::move(members));
}

struct Level {
  Set below;
  bool is_member = false;
};

Result<Level> read(const Value& fields, int depth) {
  if (!fields.is_object()) return invalid("fields have to be a map");
  if (depth > kMaxDepth) return invalid("fields are nested in more than {} levels", kMaxDepth);
  Level level;
  std::vector<Node> nodes;
  nodes.reserve(fields.size());
  for (const json::Member& member : fields.members()) {
    if (member.name() == ".") {
      level.is_member = true;
      continue;
    }
    PORTICO_TRY(auto step, parse_step(member.key));
    if (!step) continue;
    PORTICO_TRY(Level below, read(member.value, depth + 1));
    nodes.push_back({*std::move(step), below.is_member, std::move(below.below)});
  }
  level.below = Set::of(std::move(nodes));
  // What has nothing below it stands for itself.
  level.is_member |= level.below.empty();
  return level;
}

}  // namespace

Value to_fields(const Set& set) { return written(set, false); }

Result<Set> parse_fields(const Value& fields) {
  PORTICO_TRY(Level level, read(fields, 0));
  return std::move(level.below);
}

}  // namespace portico::fieldset
