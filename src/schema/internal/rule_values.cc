#include "schema/internal/rule_values.h"

#include <fmt/format.h>

#include <cmath>

#include "base/hash.h"
#include "cel/time.h"
#include "schema/internal/resource_node.h"
#include "schema/internal/rule_names.h"

namespace portico::schema::internal {
namespace {

using json::Value;

class Items final : public cel::List {
 public:
  Items(const Node& item, Value list) : item_(item), list_(std::move(list)) {}
  std::size_t size() const override { return list_.size(); }
  cel::Value at(std::size_t index) const override {
    return rule_value(item_, list_[index], item_.embedded_resource);
  }

 private:
  const Node& item_;
  Value list_;
};

/// An object with properties, whose names are escaped, or a map, whose keys are not.
class Members final : public cel::Map {
 public:
  Members(const Node& node, Value object, bool is_resource)
      : node_(node), object_(std::move(object)), is_resource_(is_resource) {}

  std::size_t size() const override { return keys().size(); }

  std::optional<cel::Value> find(const cel::Value& key) const override {
    if (!key.is(cel::Kind::kString)) return std::nullopt;
    const std::string name = node_.additional ? std::string(key.text()) : unescaped(key.text());
    const Node* schema = known(name);
    const Value* value = object_.find(name);
    if (schema == nullptr || value == nullptr) return std::nullopt;
    return rule_value(*schema, *value, schema->embedded_resource);
  }

  std::vector<cel::Value> keys() const override {
    std::vector<cel::Value> out;
    for (const json::Member& member : object_.members()) {
      if (known(member.name()) == nullptr) continue;
      if (node_.additional) {
        out.push_back(cel::Value::string(member.name()));
      } else if (const auto name = escaped(member.name())) {
        out.push_back(cel::Value::string(*name));
      }
    }
    return out;
  }

 private:
  const Node* known(std::string_view name) const {
    return is_resource_ ? resource_member(node_, name) : node_.member(name);
  }

  const Node& node_;
  Value object_;
  bool is_resource_;
};

cel::Value wrong(std::string_view what) {
  return cel::Value::error(fmt::format("invalid data, expected {}", what));
}

cel::Value text_value(const Node& node, const Value& value) {
  const std::string_view text = value.as_string();
  if (node.int_or_string) return cel::Value::string(text);
  if (node.format == "byte") {
    std::string bytes;
    if (!base64_decode(text, bytes)) return wrong("base64");
    return cel::Value::bytes(bytes);
  }
  if (node.format == "duration") {
    return cel::parse_duration(text);
  }
  if (node.format == "date") return cel::parse_timestamp(std::string(text) + "T00:00:00Z");
  if (node.format == "date-time") return cel::parse_timestamp(text);
  return cel::Value::string(text);
}

}  // namespace

cel::Value rule_value(const Node& node, const Value& value, bool is_resource) {
  switch (value.type()) {
    case Value::Type::kNull:
      if (node.nullable) return {};
      return cel::Value::error("invalid data, got null for schema with nullable=false");
    case Value::Type::kBool:
      return cel::Value(value.as_bool());
    case Value::Type::kInt:
      if (node.type == Type::kNumber) return cel::Value(value.as_double());
      return cel::Value(value.as_int());
    case Value::Type::kUint:
    case Value::Type::kDouble: {
      const double number = value.as_double();
      if (node.type != Type::kInteger && !node.int_or_string) return cel::Value(number);
      if (std::fabs(number) < 0x1p53) return cel::Value(static_cast<std::int64_t>(number));
      return wrong("an integer");
    }
    case Value::Type::kString:
      return text_value(node, value);
    case Value::Type::kArray:
      if (!node.items) return wrong("a list with a schema");
      return cel::Value::list(cel::Ref<const cel::List>(new Items(*node.items, value)));
    case Value::Type::kObject:
      return cel::Value::map(cel::Ref<const cel::Map>(new Members(node, value, is_resource)));
  }
  return {};
}

}  // namespace portico::schema::internal
