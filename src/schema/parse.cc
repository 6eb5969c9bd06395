#include <re2/re2.h>

#include <algorithm>

#include "schema/schema.h"

namespace portico::schema {
namespace {

using json::Member;
using json::Value;

constexpr std::pair<std::string_view, Type> kTypes[] = {
    {"object", Type::kObject},   {"array", Type::kArray},   {"string", Type::kString},
    {"integer", Type::kInteger}, {"number", Type::kNumber}, {"boolean", Type::kBoolean}};

/// Parses one schema; stops at the first member with a wrong type.
class Reader {
 public:
  Reader(const Value& value, int depth) : value_(value), depth_(depth) {}

  Result<Schema> read();

 private:
  Result<Done> read_values();
  Result<Done> read_schemas();
  Result<Done> read_rules();

  const Value* find(std::string_view name) const {
    const Value* found = value_.find(name);
    return found == nullptr || found->is_null() ? nullptr : found;
  }
  Result<Done> text(std::string_view name, std::string& out) const {
    const Value* found = find(name);
    if (found == nullptr) return Done{};
    if (!found->is_string()) return invalid("{} must be a string", name);
    out = found->as_string();
    return Done{};
  }
  Result<Done> flag(std::string_view name, bool& out) const {
    const Value* found = find(name);
    if (found == nullptr) return Done{};
    if (!found->is_bool()) return invalid("{} must be true or false", name);
    out = found->as_bool();
    return Done{};
  }
  Result<Done> number(std::string_view name, std::optional<double>& out) const {
    const Value* found = find(name);
    if (found == nullptr) return Done{};
    if (!found->is_number()) return invalid("{} must be a number", name);
    out = found->as_double();
    return Done{};
  }
  Result<Done> count(std::string_view name, std::optional<std::int64_t>& out) const {
    const Value* found = find(name);
    if (found == nullptr) return Done{};
    if (!found->is_int()) return invalid("{} must be an integer", name);
    out = found->as_int();
    return Done{};
  }
  Result<Done> texts(std::string_view name, std::vector<std::string>& out) const {
    const Value* found = find(name);
    if (found == nullptr) return Done{};
    if (!found->is_array()) return invalid("{} must be a list of strings", name);
    for (const Value& item : found->items()) {
      if (!item.is_string()) return invalid("{} must be a list of strings", name);
      out.emplace_back(item.as_string());
    }
    return Done{};
  }
  Result<Done> one(std::string_view name, Schema& out) const {
    const Value* found = find(name);
    if (found == nullptr || found->is_array()) return Done{};
    PORTICO_TRY(out, Reader(*found, depth_ + 1).read(), std::string(name));
    return Done{};
  }
  Result<Done> several(std::string_view name, std::vector<Schema>& out) const {
    const Value* found = find(name);
    if (found == nullptr) return Done{};
    if (!found->is_array()) return invalid("{} must be a list of schemas", name);
    for (std::size_t i = 0; i < found->size(); ++i) {
      PORTICO_TRY(Schema schema, Reader((*found)[i], depth_ + 1).read(),
                  fmt::format("{}[{}]", name, i));
      out.push_back(std::move(schema));
    }
    return Done{};
  }

  const Value& value_;
  int depth_;
  Node node_;
};

Result<Done> Reader::read_values() {
  std::string type, list_type, map_type;
  PORTICO_DO(text("type", type));
  for (const auto& entry : kTypes)
    if (type == entry.first) node_.type = entry.second;
  PORTICO_DO(text("format", node_.format));
  PORTICO_DO(text("pattern", node_.pattern));
  PORTICO_DO(flag("nullable", node_.nullable));
  PORTICO_DO(flag("exclusiveMinimum", node_.exclusive_minimum));
  PORTICO_DO(flag("exclusiveMaximum", node_.exclusive_maximum));
  PORTICO_DO(flag("uniqueItems", node_.unique_items));
  PORTICO_DO(flag("x-kubernetes-preserve-unknown-fields", node_.preserve_unknown_fields));
  PORTICO_DO(flag("x-kubernetes-embedded-resource", node_.embedded_resource));
  PORTICO_DO(flag("x-kubernetes-int-or-string", node_.int_or_string));
  PORTICO_DO(number("minimum", node_.minimum));
  PORTICO_DO(number("maximum", node_.maximum));
  PORTICO_DO(number("multipleOf", node_.multiple_of));
  PORTICO_DO(count("minLength", node_.min_length));
  PORTICO_DO(count("maxLength", node_.max_length));
  PORTICO_DO(count("minItems", node_.min_items));
  PORTICO_DO(count("maxItems", node_.max_items));
  PORTICO_DO(count("minProperties", node_.min_properties));
  PORTICO_DO(count("maxProperties", node_.max_properties));
  PORTICO_DO(texts("required", node_.required));
  PORTICO_DO(texts("x-kubernetes-list-map-keys", node_.list_keys));
  PORTICO_DO(text("x-kubernetes-list-type", list_type));
  if (list_type == "atomic") node_.list_type = ListType::kAtomic;
  if (list_type == "set") node_.list_type = ListType::kSet;
  if (list_type == "map") node_.list_type = ListType::kMap;
  PORTICO_DO(text("x-kubernetes-map-type", map_type));
  if (map_type == "granular") node_.map_type = MapType::kGranular;
  if (map_type == "atomic") node_.map_type = MapType::kAtomic;
  std::string ignored;
  PORTICO_DO(text("title", ignored));
  PORTICO_DO(text("description", ignored));

  if (const Value* values = find("enum")) {
    if (!values->is_array()) return invalid("enum must be a list");
    node_.values.assign(values->items().begin(), values->items().end());
  }
  if (const Value* fallback = find("default")) node_.default_value = *fallback;
  if (!node_.pattern.empty()) {
    RE2::Options options;
    options.set_log_errors(false);
    auto regex = std::make_shared<const RE2>(node_.pattern, options);
    if (regex->ok()) node_.regex = std::move(regex);
  }
  return Done{};
}

Result<Done> Reader::read_schemas() {
  if (const Value* properties = find("properties")) {
    if (!properties->is_object()) return invalid("properties must be an object");
    for (const Member& member : properties->members()) {
      PORTICO_TRY(Schema schema, Reader(member.value, depth_ + 1).read(),
                  fmt::format("properties[{}]", member.name()));
      node_.properties.push_back({std::string(member.name()), std::move(schema)});
    }
  }
  if (const Value* additional = find("additionalProperties")) {
    if (additional->is_bool()) {
      node_.additional_allowed = additional->as_bool();
    } else {
      PORTICO_DO(one("additionalProperties", node_.additional));
    }
  }
  PORTICO_DO(one("items", node_.items));
  PORTICO_DO(one("not", node_.negated));
  PORTICO_DO(several("allOf", node_.all_of));
  PORTICO_DO(several("anyOf", node_.any_of));
  return several("oneOf", node_.one_of);
}

Result<Done> Reader::read_rules() {
  const Value* rules = find("x-kubernetes-validations");
  if (rules == nullptr) return Done{};
  if (!rules->is_array()) return invalid("x-kubernetes-validations must be a list of rules");
  for (const Value& item : rules->items()) {
    if (!item.is_object()) return invalid("x-kubernetes-validations must be a list of rules");
    const Reader reader(item, depth_);
    Rule rule;
    PORTICO_DO(reader.text("rule", rule.rule), "x-kubernetes-validations");
    PORTICO_DO(reader.text("message", rule.message), "x-kubernetes-validations");
    PORTICO_DO(reader.text("messageExpression", rule.message_expression),
               "x-kubernetes-validations");
    PORTICO_DO(reader.text("reason", rule.reason), "x-kubernetes-validations");
    PORTICO_DO(reader.text("fieldPath", rule.field_path), "x-kubernetes-validations");
    PORTICO_DO(reader.flag("optionalOldSelf", rule.optional_old_self), "x-kubernetes-validations");
    node_.rules.push_back(std::move(rule));
  }
  return Done{};
}

Result<Schema> Reader::read() {
  if (depth_ > kMaxDepth) return invalid("schemas are nested deeper than {}", kMaxDepth);
  if (!value_.is_object()) return invalid("a schema must be an object");
  PORTICO_DO(read_values());
  PORTICO_DO(read_schemas());
  PORTICO_DO(read_rules());
  node_.source = value_;
  node_.has_defaults = node_.default_value.has_value();
  node_.has_rules = !node_.rules.empty();
  const auto inherit = [this](const Schema& below) {
    if (!below) return;
    node_.has_defaults |= below->has_defaults;
    node_.has_rules |= below->has_rules;
  };
  for (const Property& property : node_.properties) inherit(property.schema);
  inherit(node_.items);
  inherit(node_.additional);
  return Schema(std::make_shared<const Node>(std::move(node_)));
}

}  // namespace

std::string_view name(Type type) {
  for (const auto& entry : kTypes)
    if (entry.second == type) return entry.first;
  return "";
}

const Node* Node::property(std::string_view wanted) const {
  const auto found = std::lower_bound(
      properties.begin(), properties.end(), wanted,
      [](const Property& one, std::string_view other) { return one.name < other; });
  return found == properties.end() || found->name != wanted ? nullptr : &*found->schema;
}

const Node* Node::member(std::string_view wanted) const {
  if (const Node* found = property(wanted)) return found;
  return additional ? &*additional : nullptr;
}

Result<Schema> parse(const Value& value) { return Reader(value, 0).read(); }

}  // namespace portico::schema
