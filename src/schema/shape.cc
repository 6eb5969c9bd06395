#include "schema/shape.h"

#include <algorithm>

#include "schema/causes.h"

namespace portico::schema {
namespace {

using json::Member;
using json::Value;

bool names_resource(std::string_view name) {
  return name == "apiVersion" || name == "kind" || name == "metadata";
}

class Pruner {
 public:
  Value object(const Node& node, const Value& value, bool is_resource);
  std::vector<std::string> take() {
    std::sort(unknown_.begin(), unknown_.end());
    return std::move(unknown_);
  }

 private:
  Value prune(const Node& node, const Value& value);

  Path path_;
  std::vector<std::string> unknown_;
};

Value Pruner::prune(const Node& node, const Value& value) {
  if (value.is_object()) return object(node, value, node.embedded_resource);
  if (!value.is_array()) return value;
  Value out = value;
  for (std::size_t i = 0; i < value.size(); ++i) {
    Path::Mark mark(path_);
    path_.index(i);
    static const Node kNothing{};
    // Items of a list without a schema are unknown, unless unknown fields are preserved.
    if (!node.items && node.preserve_unknown_fields) continue;
    Value item = prune(node.items ? *node.items : kNothing, value[i]);
    if (!item.same_as(value[i])) out = out.with_item(i, std::move(item));
  }
  return out;
}

Value Pruner::object(const Node& node, const Value& value, bool is_resource) {
  Value out = value;
  for (const Member& member : value.members()) {
    if (is_resource && names_resource(member.name())) continue;
    const Node* const schema = node.member(member.name());
    if (schema != nullptr && member.value.empty()) continue;  // mostly scalars
    Path::Mark mark(path_);
    path_.child(member.name());
    if (schema != nullptr) {
      Value pruned = prune(*schema, member.value);
      if (!pruned.same_as(member.value)) out = out.with(member.name(), std::move(pruned));
    } else if (!node.preserve_unknown_fields) {
      unknown_.push_back(path_.raw());
      out = out.without(member.name());
    }
  }
  return out;
}

Value with_defaults(const Node& node, const Value& value);

/// Whether the value is a null that is not allowed.
bool is_bad_null(const Node& node, const Value& value) { return value.is_null() && !node.nullable; }

Value object_with_defaults(const Node& node, const Value& value) {
  Value out = value;
  for (const Property& property : node.properties) {
    const Node& schema = *property.schema;
    const Value* have = out.find(property.name);
    if (schema.default_value && (have == nullptr || is_bad_null(schema, *have)))
      out = out.with(property.name, *schema.default_value);
  }
  const Value filled = out;
  for (const Member& member : filled.members()) {
    const Node* schema = node.member(member.name());
    if (schema == nullptr) continue;
    if (is_bad_null(*schema, member.value)) {
      out = schema->default_value
                ? out.with(member.name(), with_defaults(*schema, *schema->default_value))
                : out.without(member.name());
      continue;
    }
    Value inside = with_defaults(*schema, member.value);
    if (!inside.same_as(member.value)) out = out.with(member.name(), std::move(inside));
  }
  return out;
}

Value with_defaults(const Node& node, const Value& value) {
  if (value.is_object()) return object_with_defaults(node, value);
  if (!value.is_array() || !node.items) return value;
  Value out = value;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool replaced = is_bad_null(*node.items, value[i]) && node.items->default_value;
    Value item = with_defaults(*node.items, replaced ? *node.items->default_value : value[i]);
    if (!item.same_as(value[i])) out = out.with_item(i, std::move(item));
  }
  return out;
}

}  // namespace

Pruned prune(const Value& object, const Schema& schema) {
  Pruner pruner;
  Pruned out;
  out.value = pruner.object(*schema, object, true);
  out.unknown = pruner.take();
  return out;
}

Value apply_defaults(const Value& object, const Schema& schema) {
  return with_defaults(*schema, object);
}

}  // namespace portico::schema
