#include "schema/internal/form_causes.h"

#include <algorithm>
#include <set>

#include "schema/causes.h"
#include "schema/internal/rule_path.h"

namespace portico::schema::internal {
namespace {

using json::Value;

const std::string kTypes[] = {"array", "boolean", "integer", "number", "object", "string"};
const std::string kListTypes[] = {"atomic", "set", "map"};
const std::string kMapTypes[] = {"atomic", "granular"};
const std::string kReasons[] = {"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid",
                                "FieldValueRequired"};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool has_line_break(std::string_view text) {
  return text.find_first_of("\r\n") != std::string_view::npos;
}

/// The context of a schema.
struct Around {
  bool root = false;
  bool in_metadata = false;         // of the object or of an embedded resource
  std::string no_defaults_because;  // why defaults are not allowed here; empty: they are
};

class Check {
 public:
  explicit Check(std::string_view path) : path_(path) {}

  std::vector<Cause> run(const Node& root) {
    if (root.nullable)
      // Kubernetes' message names the field, too.
      causes_.push_back(forbidden_value(at("nullable"), "nullable cannot be true at the root"));
    node(root, {.root = true, .in_metadata = false, .no_defaults_because = {}});
    return std::move(causes_);
  }

 private:
  std::string at(std::string_view child) {
    Path::Mark mark(path_);
    return path_.child(child).text();
  }
  void add(Cause cause) { causes_.push_back(std::move(cause)); }

  void node(const Node& node, const Around& around);
  void unsupported(const Node& node, const Around& around);
  void below(const Node& node, const Around& around);
  void alternatives(const std::vector<Schema>& schemas, std::string_view name,
                    const Around& around);
  void map_type(const Node& node);
  void list_type(const Node& node);
  void list_keys(const Node& node);
  void keys_are_there(const Node& node);
  void rules(const Node& node);
  void rule(const Node& node, const Rule& rule);

  Path path_;
  std::vector<Cause> causes_;
};

void Check::node(const Node& node, const Around& around) {
  unsupported(node, around);
  below(node, {.root = around.root,
               .in_metadata = around.in_metadata,
               .no_defaults_because = around.no_defaults_because});
  const Value* preserve = node.source.find("x-kubernetes-preserve-unknown-fields");
  if (preserve != nullptr && preserve->is_bool() && !preserve->as_bool())
    add(invalid_value(at("x-kubernetes-preserve-unknown-fields"), false,
                      "must be true or undefined"));
  map_type(node);
  list_type(node);
  list_keys(node);
  keys_are_there(node);
  rules(node);
}

void Check::unsupported(const Node& node, const Around& around) {
  const std::string_view type = node.source["type"].as_string();
  if (!type.empty() && node.type == Type::kAny) add(unsupported_value(at("type"), type, kTypes));
  if (node.default_value && !around.no_defaults_because.empty())
    add(forbidden_value(at("default"), "must not be set " + around.no_defaults_because));
  if (!node.source["id"].as_string().empty()) add(forbidden_value(at("id"), "id is not supported"));
  if (!node.source["additionalItems"].is_null())
    add(forbidden_value(at("additionalItems"), "additionalItems is not supported"));
  for (const std::string_view field : {"patternProperties", "definitions"})
    if (!node.source[field].empty())
      add(forbidden_value(at(field), fmt::format("{} is not supported", field)));
  if (!node.source["dependencies"].is_null())
    add(forbidden_value(at("dependencies"), "dependencies is not supported"));
  if (!node.source["$ref"].as_string().empty())
    add(forbidden_value(at("$ref"), "$ref is not supported"));
  if (type == "null")
    add(forbidden_value(at("type"), "type cannot be set to null, use nullable as an alternative"));
  if (node.source["items"].is_array() && !node.source["items"].empty())
    add(forbidden_value(at("items"), "items must be a schema object and not an array"));
  if (around.in_metadata && node.embedded_resource)
    add(forbidden_value(at("x-kubernetes-embedded-resource"),
                        "must not be used inside of resource meta"));
  if (node.unique_items)
    add(forbidden_value(at("uniqueItems"),
                        "uniqueItems cannot be set to true since the runtime complexity becomes "
                        "quadratic"));
}

void Check::alternatives(const std::vector<Schema>& schemas, std::string_view name,
                         const Around& around) {
  for (std::size_t i = 0; i < schemas.size(); ++i) {
    Path::Mark mark(path_);
    path_.child(name).index(i);
    node(*schemas[i], around);
  }
}

void Check::below(const Node& parent, const Around& around) {
  Around inside = around;
  inside.root = false;
  if (!parent.source["additionalProperties"].is_null()) {
    if (!parent.properties.empty() && (parent.additional || !parent.additional_allowed))
      add(forbidden_value(at("additionalProperties"),
                          "additionalProperties and properties are mutual exclusive"));
    if (parent.additional) {
      Path::Mark mark(path_);
      path_.child("additionalProperties");
      Around values = inside;
      if (around.in_metadata)
        values.no_defaults_because = "inside additionalProperties applying to object metadata";
      node(*parent.additional, values);
    }
  }
  for (const Property& property : parent.properties) {
    Around member = inside;
    const bool meta =
        property.name == "metadata" || property.name == "kind" || property.name == "apiVersion";
    if (meta && (around.root || parent.embedded_resource)) {
      member.in_metadata = true;
      if (around.root) member.no_defaults_because = fmt::format("in top-level {}", property.name);
    }
    Path::Mark mark(path_);
    path_.child("properties").key(property.name);
    node(*property.schema, member);
  }
  if (parent.negated) {
    Path::Mark mark(path_);
    path_.child("not");
    node(*parent.negated, inside);
  }
  alternatives(parent.all_of, "allOf", inside);
  alternatives(parent.one_of, "oneOf", inside);
  alternatives(parent.any_of, "anyOf", inside);
  if (parent.items) {
    Path::Mark mark(path_);
    path_.child("items");
    node(*parent.items, inside);
  }
}

void Check::map_type(const Node& node) {
  const Value& written = node.source["x-kubernetes-map-type"];
  if (written.is_null()) return;
  const std::string_view type = node.source["type"].as_string();
  constexpr std::string_view kDetail = "must be object if x-kubernetes-map-type is specified";
  if (type.empty()) {
    add(required_value(at("type"), kDetail));
  } else if (node.type != Type::kObject) {
    add(invalid_value(at("type"), type, kDetail));
  }
  if (node.map_type == MapType::kUnset)
    add(unsupported_value(at("x-kubernetes-map-type"), written, kMapTypes));
}

void Check::list_type(const Node& node) {
  const Value& written = node.source["x-kubernetes-list-type"];
  if (written.is_null()) return;
  const std::string_view type = node.source["type"].as_string();
  constexpr std::string_view kDetail = "must be array if x-kubernetes-list-type is specified";
  if (type.empty()) {
    add(required_value(at("type"), kDetail));
  } else if (node.type != Type::kArray) {
    add(invalid_value(at("type"), type, kDetail));
  } else if (node.list_type == ListType::kSet && node.items) {
    const Node& items = *node.items;
    const bool list = items.type == Type::kArray &&
                      (items.list_type == ListType::kSet || items.list_type == ListType::kMap);
    const bool map = items.type == Type::kObject && items.map_type != MapType::kAtomic;
    Path::Mark mark(path_);
    path_.child("items");
    // As in Kubernetes, the value is that of the list type in both cases.
    if (list || map)
      add(invalid_value(at(list ? "x-kubernetes-list-type" : "x-kubernetes-map-type"),
                        items.source["x-kubernetes-list-type"],
                        "must be atomic as item of a list with x-kubernetes-list-type=set"));
  }
  if (node.list_type == ListType::kUnset)
    add(unsupported_value(at("x-kubernetes-list-type"), written, kListTypes));
}

void Check::list_keys(const Node& node) {
  const Value& written = node.source["x-kubernetes-list-type"];
  constexpr std::string_view kDetail = "must be map if x-kubernetes-list-map-keys is non-empty";
  if (!node.list_keys.empty() && written.is_null())
    add(required_value(at("x-kubernetes-list-type"), kDetail));
  if (!node.list_keys.empty() && !written.is_null() && node.list_type != ListType::kMap)
    add(invalid_value(at("x-kubernetes-list-type"), written, kDetail));
  if (node.list_type != ListType::kMap) return;

  if (node.list_keys.empty())
    add(required_value(at("x-kubernetes-list-map-keys"),
                       "must not be empty if x-kubernetes-list-type is map"));
  if (!node.items) {
    add(required_value(at("items"), "must have a schema if x-kubernetes-list-type is map"));
    return;
  }
  Path::Mark mark(path_);
  if (node.items->type != Type::kObject) {
    path_.child("items");
    add(invalid_value(at("type"), node.items->source["type"].as_string(),
                      "must be object if parent array's x-kubernetes-list-type is map"));
    return;
  }
  const Value& keys = node.source["x-kubernetes-list-map-keys"];
  std::set<std::string_view> seen;
  for (const std::string& key : node.list_keys) {
    const Node* property = node.items->property(key);
    if (property == nullptr) {
      add(invalid_value(at("x-kubernetes-list-map-keys"), keys,
                        "entries must all be names of item properties"));
    } else if (property->type == Type::kArray || property->type == Type::kObject) {
      Path::Mark inner(path_);
      path_.child("items").child("properties").key(key);
      add(invalid_value(at("type"), "object",
                        "must be a scalar type if parent array's x-kubernetes-list-type is map"));
    }
    if (!seen.insert(key).second)
      add(invalid_value(at("x-kubernetes-list-map-keys"), keys,
                        "must not contain duplicate entries"));
  }
}

/// Keys of set and map items must be present in every object.
void Check::keys_are_there(const Node& node) {
  if (!node.items) return;
  if (node.list_type != ListType::kSet && node.list_type != ListType::kMap) return;
  Path::Mark mark(path_);
  path_.child("items");
  if (node.items->nullable)
    add(forbidden_value(at("nullable"),
                        fmt::format("cannot be nullable when x-kubernetes-list-type is {}",
                                    node.source["x-kubernetes-list-type"].as_string())));
  if (node.list_type != ListType::kMap) return;
  const std::vector<std::string>& required = node.items->required;
  for (const std::string& key : node.list_keys) {
    const Node* property = node.items->property(key);
    if (property == nullptr) continue;
    Path::Mark inner(path_);
    path_.child("properties").key(key);
    if (!property->default_value &&
        std::find(required.begin(), required.end(), key) == required.end())
      add(required_value(at("default"),
                         "this property is in x-kubernetes-list-map-keys, so it must have a "
                         "default or be a required property"));
    if (property->nullable)
      add(forbidden_value(at("nullable"),
                          "this property is in x-kubernetes-list-map-keys, so it cannot be "
                          "nullable"));
  }
}

void Check::rules(const Node& node) {
  for (std::size_t i = 0; i < node.rules.size(); ++i) {
    Path::Mark mark(path_);
    path_.child("x-kubernetes-validations").index(i);
    rule(node, node.rules[i]);
  }
}

void Check::rule(const Node& node, const Rule& rule) {
  const std::string_view message = trimmed(rule.message);
  if (trimmed(rule.rule).empty()) {
    add(required_value(at("rule"), "rule is not specified"));
  } else if (!rule.message.empty() && message.empty()) {
    add(invalid_value(at("message"), rule.message, "message must be non-empty if specified"));
  } else if (has_line_break(message)) {
    add(invalid_value(at("message"), rule.message, "message must not contain line breaks"));
  } else if (has_line_break(trimmed(rule.rule)) && message.empty()) {
    add(required_value(at("message"), "message must be specified if rule contains line breaks"));
  }
  if (!rule.message_expression.empty() && trimmed(rule.message_expression).empty())
    add(required_value(at("messageExpression"),
                       "messageExpression must be non-empty if specified"));
  if (!rule.reason.empty() &&
      std::find(std::begin(kReasons), std::end(kReasons), rule.reason) == std::end(kReasons))
    add(unsupported_value(at("reason"), rule.reason, kReasons));
  if (rule.field_path.empty()) return;
  if (trimmed(rule.field_path).empty())
    add(invalid_value(at("fieldPath"), rule.field_path,
                      "fieldPath must be non-empty if specified"));
  if (has_line_break(rule.field_path))
    add(invalid_value(at("fieldPath"), rule.field_path, "fieldPath must not contain line breaks"));
  if (!normalized_rule_path(rule.field_path, node))
    add(invalid_value(at("fieldPath"), rule.field_path, "fieldPath must be a valid path"));
}

}  // namespace

std::vector<Cause> form_causes(const Node& root, std::string_view path) {
  return Check(path).run(root);
}

}  // namespace portico::schema::internal
