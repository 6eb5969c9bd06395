// FieldsV1: the form of sets in managedFields.
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
  if (!fields.is_object()) return invalid("fields must be a map");
  if (depth > kMaxDepth) return invalid("fields are nested more than {} levels deep", kMaxDepth);
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
  // A node with nothing below it is itself in the set.
  level.is_member |= level.below.empty();
  return level;
}

}  // namespace

Value to_fields(const Set& set) { return written(set, false); }

Set shared_with_fields(const Set& set, const Value& fields) {
  Set out;
  if (fields.empty()) return out;
  for (const Node& node : set.nodes()) {
    const Value* below = fields.find(key_of(node.step));
    if (below == nullptr) continue;
    const bool is_member = node.is_member && (below->empty() || below->contains("."));
    out.append(node.step, is_member, shared_with_fields(node.below, *below));
  }
  return out;
}

Value fields_without(const Value& fields, const Set& lost) {
  Value out = fields;
  for (const Node& node : lost.nodes()) {
    const std::string key = key_of(node.step);
    const Value* found = fields.find(key);
    if (found == nullptr) continue;
    const bool was_member = found->empty() || found->contains(".");
    const bool is_member = was_member && !node.is_member;
    const Value below = fields_without(found->without("."), node.below);
    if (below.empty() && !is_member)
      out = out.without(key);
    else
      out = out.with(key, is_member && !below.empty() ? below.with(".", Value::object()) : below);
  }
  return out;
}

Result<Set> parse_fields(const Value& fields) {
  PORTICO_TRY(Level level, read(fields, 0));
  return std::move(level.below);
}

}  // namespace portico::fieldset
