#include "schema/internal/rule_types.h"

#include <algorithm>
#include <map>

#include "json/text.h"
#include "schema/internal/resource_node.h"
#include "schema/internal/rule_names.h"

namespace portico::schema::internal {
namespace {

using cel::TypeKind;
using Fields = std::map<std::string, cel::Type, std::less<>>;

void add_field(Fields& fields, const std::string& property, const Node& node,
               const std::string& name, cel::EnvBuilder& builder) {
  const auto field = escaped(property);
  if (!field) return;
  auto type = rule_type(node, name + "." + property, node.embedded_resource, builder);
  if (type) fields.insert_or_assign(*field, *std::move(type));
}

std::uint64_t or_zero(std::int64_t count) {
  return count < 0 ? 0 : static_cast<std::uint64_t>(count);
}

std::uint64_t most_characters(const Node& node) {
  const bool text = !node.int_or_string && node.format != "byte";
  // A character has up to four bytes; for bytes, the limit is the length of the encoded text.
  if (node.max_length) return or_zero(*node.max_length) * (text ? 4 : 1);
  if (text && !node.values.empty()) {
    std::uint64_t most = 0;
    for (const json::Value& value : node.values)
      most = std::max<std::uint64_t>(most, value.as_string().size());
    return most;
  }
  if (node.format == "duration") return 32;
  if (node.format == "date") return 12;
  if (node.format == "date-time") return 37;
  return kRequestBytes - 2;
}

std::uint64_t most_that_fit(std::uint64_t bytes_each) { return (kRequestBytes - 2) / bytes_each; }

}  // namespace

std::optional<cel::Type> rule_type(const Node& node, const std::string& name, bool is_resource,
                                   cel::EnvBuilder& builder) {
  if (node.int_or_string) return cel::Type();
  switch (node.type) {
    case Type::kAny:
      return std::nullopt;
    case Type::kBoolean:
      return TypeKind::kBool;
    case Type::kInteger:
      return TypeKind::kInt;
    case Type::kNumber:
      return TypeKind::kDouble;
    case Type::kString:
      if (node.format == "byte") return TypeKind::kBytes;
      if (node.format == "duration") return TypeKind::kDuration;
      if (node.format == "date" || node.format == "date-time") return TypeKind::kTimestamp;
      return TypeKind::kString;
    case Type::kArray: {
      if (!node.items) return std::nullopt;
      auto item = rule_type(*node.items, name + ".@idx", node.items->embedded_resource, builder);
      if (!item) return std::nullopt;
      return cel::Type::list(*std::move(item));
    }
    case Type::kObject:
      break;
  }
  if (node.additional) {
    auto value =
        rule_type(*node.additional, name + ".@prop", node.additional->embedded_resource, builder);
    if (!value) return std::nullopt;
    return cel::Type::map(TypeKind::kString, *std::move(value));
  }
  Fields fields;
  for (const Property& property : node.properties)
    add_field(fields, property.name, *property.schema, name, builder);
  if (is_resource)
    for (const char* property : {"apiVersion", "kind", "metadata"})
      add_field(fields, property, *resource_member(node, property), name, builder);
  builder.structure(name, std::move(fields));
  return cel::Type::message(name);
}

std::uint64_t most_elements(const Node& node) {
  if (node.int_or_string || node.type == Type::kString) return most_characters(node);
  if (node.type == Type::kArray) {
    if (node.max_items) return or_zero(*node.max_items);
    return node.items ? most_that_fit(least_bytes(*node.items) + 1) : 0;
  }
  if (node.type == Type::kObject && node.additional) {
    if (node.max_properties) return or_zero(*node.max_properties);
    // Quotes, colon, comma and a key of one or two characters.
    return most_that_fit(least_bytes(*node.additional) + 6);
  }
  return 0;
}

std::uint64_t least_bytes(const Node& node) {
  if (node.int_or_string) return 1;
  switch (node.type) {
    case Type::kBoolean:
      return 4;
    case Type::kInteger:
    case Type::kNumber:
    case Type::kAny:
      return 1;
    case Type::kString:
      if (node.format == "date") return 12;
      if (node.format == "date-time") return 21;
      return 2;
    case Type::kArray:
      return 2;
    case Type::kObject:
      break;
  }
  std::uint64_t bytes = 2;
  for (const std::string& name : node.required) {
    const Node* property = node.property(name);
    if (property != nullptr && !property->default_value)
      bytes += name.size() + least_bytes(*property) + 4;
  }
  return bytes;
}

std::optional<cel_lib::SizeRange> SchemaSizes::of(std::span<const std::string> path) const {
  const Node* here = &self_;
  bool is_resource = is_resource_;
  if (path.empty() || (path[0] != "self" && path[0] != "oldSelf")) return std::nullopt;
  for (const std::string& step : path.subspan(1)) {
    if (step == "@keys") {
      return cel_lib::SizeRange{0, kRequestBytes - 2};
    }
    if (step == "@items" || step == "@values") {
      const Schema& below = here->type == Type::kArray ? here->items : here->additional;
      if (!below) return std::nullopt;
      here = &*below;
    } else {
      const std::string name = unescaped(step);
      here = is_resource ? resource_member(*here, name) : here->property(name);
      if (here == nullptr) return std::nullopt;
    }
    is_resource = here->embedded_resource;
  }
  return cel_lib::SizeRange{0, most_elements(*here)};
}

}  // namespace portico::schema::internal
