#include "functions/internal/kubernetes_schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "functions/internal/value_type.h"

namespace portico::functions {

namespace {

std::string_view word_for(SchemaType type) {
  switch (type) {
    case SchemaType::kString:
      return "string";
    case SchemaType::kInteger:
      return "integer";
    case SchemaType::kNumber:
      return "number";
    case SchemaType::kBoolean:
      return "boolean";
    case SchemaType::kArray:
      return "array";
    default:
      return "object";
  }
}

bool is_of_type(const json::Value& value, SchemaType type) {
  switch (type) {
    case SchemaType::kAny:
      return true;
    case SchemaType::kString:
      return value.is_string();
    case SchemaType::kInteger:
      return is_whole(value);
    case SchemaType::kNumber:
      return value.is_number();
    case SchemaType::kBoolean:
      return value.is_bool();
    case SchemaType::kIntOrString:
      return value.is_string() || is_whole(value);
    case SchemaType::kQuantity:
      return value.is_string() || value.is_number();
    case SchemaType::kArray:
      return value.is_array();
    case SchemaType::kMap:
    case SchemaType::kStruct:
      return value.is_object();
  }
  return false;
}

std::string wrong_type(const SchemaNode& node, const json::Value& value) {
  if (node.type == SchemaType::kIntOrString || node.type == SchemaType::kQuantity)
    return "Must validate one and only one schema (oneOf)";
  const std::string_view name = word_for(node.type);
  return fmt::format("Invalid type. Expected: {}, given: {}",
                     node.nullable ? fmt::format("[{},null]", name) : std::string(name),
                     name_of_type(value));
}

}  // namespace

std::optional<Schema> Schema::find(std::string_view api_version, std::string_view kind) {
  const auto kinds = kubernetes_schema_table().kinds;
  const auto at = std::lower_bound(
      kinds.begin(), kinds.end(), std::pair(api_version, kind),
      [](const auto& one, const auto& key) { return std::pair(one.api_version, one.kind) < key; });
  if (at == kinds.end() || at->api_version != api_version || at->kind != kind) return std::nullopt;
  return Schema::at(at->node);
}

std::span<const SchemaField> Schema::fields() const {
  if (type() != SchemaType::kStruct) return {};
  const SchemaTable& table = kubernetes_schema_table();
  return table.fields.subspan(table.structs[node_->ref].first, table.structs[node_->ref].count);
}

std::optional<Schema> Schema::field(std::string_view name) const {
  if (type() == SchemaType::kMap) return at(node_->ref);
  const auto all = fields();
  const auto found =
      std::lower_bound(all.begin(), all.end(), name,
                       [](const SchemaField& one, std::string_view key) { return one.name < key; });
  if (found == all.end() || found->name != name) return std::nullopt;
  return at(found->node);
}

std::optional<Schema> Schema::items() const {
  if (type() != SchemaType::kArray) return std::nullopt;
  return at(node_->ref);
}

class SchemaCheck {
 public:
  explicit SchemaCheck(bool strict) : strict_(strict) {}

  void check(const Schema& schema, const json::Value& value) {
    if (value.is_null() && schema.node_->nullable) return;
    if (!is_of_type(value, schema.type())) return add(wrong_type(*schema.node_, value));
    if (schema.type() == SchemaType::kStruct) check_members(schema, value);
    for (const json::Member& member : value.members())
      if (const auto field = schema.field(member.name()))
        step(std::string(member.name()), *field, member.value);
    for (std::size_t i = 0; i < value.items().size(); ++i)
      if (const auto item = schema.items()) step(i, *item, value.items()[i]);
  }

  std::vector<SchemaError> take() { return std::move(errors_); }

 private:
  void check_members(const Schema& schema, const json::Value& value) {
    for (const SchemaField& field : schema.fields()) {
      if (!field.required || value.contains(field.name)) continue;
      add_at(std::string(field.name), fmt::format("{} is required", field.name));
    }
    if (!strict_) return;
    for (const json::Member& member : value.members()) {
      if (schema.field(member.name())) continue;
      add_at(std::string(member.name()),
             fmt::format("Additional property {} is not allowed", member.name()));
    }
  }

  void step(krm::Step step, const Schema& schema, const json::Value& value) {
    path_.push_back(std::move(step));
    check(schema, value);
    path_.pop_back();
  }

  void add(std::string message) { errors_.push_back({path_, std::move(message)}); }
  void add_at(krm::Step step, std::string message) {
    path_.push_back(std::move(step));
    add(std::move(message));
    path_.pop_back();
  }

  const bool strict_;
  krm::Path path_;
  std::vector<SchemaError> errors_;
};

std::vector<SchemaError> check(const Schema& schema, const json::Value& value, bool strict) {
  SchemaCheck run(strict);
  run.check(schema, value);
  return run.take();
}

}  // namespace portico::functions
