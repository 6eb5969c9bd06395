#include "schema/structural.h"

#include <algorithm>

#include "cel_lib/regex_error.h"
#include "schema/causes.h"
#include "schema/internal/default_causes.h"
#include "schema/internal/form_causes.h"
#include "schema/rules.h"

namespace portico::schema {
namespace {

using json::Value;
using Causes = std::vector<Cause>;

enum class Level { kRoot, kItem, kField };

std::string_view type_text(const Node& node) { return node.source["type"].as_string(); }

bool has_text(const Node& node, const char* name) { return !node.source[name].as_string().empty(); }

/// In structural schemas for int-or-string, the alternatives name the two types, which is not
/// allowed elsewhere.
bool is_int_or_string(const std::vector<Schema>& alternatives) {
  if (alternatives.size() != 2) return false;
  const auto only_type = [](const Node& node, Type type) {
    return node.type == type && node.source.size() == 1;
  };
  return only_type(*alternatives[0], Type::kInteger) && only_type(*alternatives[1], Type::kString);
}

/// Walks a schema; sorts its findings by their text, like Kubernetes.
class Check {
 public:
  explicit Check(std::string_view path) : path_(path) {}

  Causes run(const Node& root) {
    structure(root, Level::kRoot);
    Path from = path_;
    complete(root, root, from);
    std::sort(causes_.begin(), causes_.end(),
              [](const Cause& a, const Cause& b) { return line(a) < line(b); });
    return std::move(causes_);
  }

 private:
  std::string at(std::string_view child) {
    Path::Mark mark(path_);
    return path_.child(child).text();
  }
  void required(std::string_view child, std::string_view detail) {
    causes_.push_back(required_value(at(child), detail));
  }
  void forbidden(std::string_view child, std::string_view detail) {
    causes_.push_back(forbidden_value(at(child), detail));
  }
  void wrong(std::string_view child, const Value& value, std::string_view detail) {
    causes_.push_back(invalid_value(at(child), value, detail));
  }

  void structure(const Node& node, Level level);
  void type_of(const Node& node, Level level);
  void extensions(const Node& node);
  void metadata(const Node& node, Level level);
  void validations(const Node& node, bool skip_any, bool skip_first_all);
  void alternatives(const std::vector<Schema>& schemas, std::string_view name);
  void nested(const Node& node, bool skip_any);
  void complete(const Node& validations, const Node& structure, Path& from);
  void complete_nested(const Node& node, const Node& structure, Path& from);

  Path path_;
  Causes causes_;
};

void Check::structure(const Node& node, Level level) {
  if (node.type == Type::kArray && !node.items) required("items", "must be specified");
  if (node.items) {
    Path::Mark mark(path_);
    path_.child("items");
    structure(*node.items, Level::kItem);
  }
  for (const Property& property : node.properties) {
    Path::Mark mark(path_);
    path_.child("properties").key(property.name);
    structure(*property.schema, Level::kField);
  }
  if (node.source.contains("additionalProperties")) {
    if (level == Level::kRoot) forbidden("additionalProperties", "must not be used at the root");
    if (node.additional) {
      Path::Mark mark(path_);
      path_.child("additionalProperties");
      structure(*node.additional, Level::kField);
    }
  }
  extensions(node);
  validations(node, is_int_or_string(node.any_of),
              !node.all_of.empty() && is_int_or_string(node.all_of[0]->any_of));
  type_of(node, level);
  metadata(node, level);
  if (node.embedded_resource && !node.preserve_unknown_fields && node.properties.empty())
    required("properties",
             "must not be empty if x-kubernetes-embedded-resource is true without "
             "x-kubernetes-preserve-unknown-fields");
}

void Check::type_of(const Node& node, Level level) {
  const std::string_view type = type_text(node);
  if (node.embedded_resource && node.type != Type::kObject) {
    constexpr std::string_view kDetail = "must be object if x-kubernetes-embedded-resource is true";
    if (type.empty()) {
      required("type", kDetail);
    } else {
      wrong("type", type, kDetail);
    }
  } else if (type.empty() && !node.int_or_string && !node.preserve_unknown_fields) {
    required("type", level == Level::kRoot   ? "must not be empty at the root"
                     : level == Level::kItem ? "must not be empty for specified array items"
                                             : "must not be empty for specified object fields");
  }
  if (node.embedded_resource && node.source.contains("additionalProperties"))
    forbidden("additionalProperties", "must not be used if x-kubernetes-embedded-resource is set");
  if (level == Level::kRoot && !type.empty() && node.type != Type::kObject)
    wrong("type", type, "must be object at the root");
}

void Check::extensions(const Node& node) {
  if (!node.int_or_string) return;
  constexpr std::string_view kDetail = "must be false if x-kubernetes-int-or-string is true";
  if (node.preserve_unknown_fields) wrong("x-kubernetes-preserve-unknown-fields", true, kDetail);
  if (node.embedded_resource) wrong("x-kubernetes-embedded-resource", true, kDetail);
}

/// Metadata has its own schema; a definition may only restrict the name.
void Check::metadata(const Node& node, Level level) {
  const bool is_resource = level == Level::kRoot || node.embedded_resource;
  for (const Property& property : node.properties) {
    Path::Mark mark(path_);
    path_.child("properties").key(property.name);
    const Node& own = *property.schema;
    if (is_resource && (property.name == "kind" || property.name == "apiVersion") &&
        own.type != Type::kString)
      wrong("type", type_text(own), "must be string");
    if (property.name != "metadata") continue;
    if (is_resource && own.type != Type::kObject) wrong("type", type_text(own), "must be object");
    if (level != Level::kRoot) continue;
    Value rest = own.source.without("type").without("default").without("properties");
    const bool names_only = std::all_of(
        own.properties.begin(), own.properties.end(),
        [](const Property& one) { return one.name == "name" || one.name == "generateName"; });
    if (!names_only || !rest.empty())
      causes_.push_back(forbidden_value(path_.text(),
                                        "must not specify anything other than name and "
                                        "generateName, but metadata is implicitly specified"));
  }
}

void Check::alternatives(const std::vector<Schema>& schemas, std::string_view name) {
  for (std::size_t i = 0; i < schemas.size(); ++i) {
    Path::Mark mark(path_);
    path_.child(name).index(i);
    nested(*schemas[i], false);
  }
}

void Check::validations(const Node& node, bool skip_any, bool skip_first_all) {
  if (!skip_any) alternatives(node.any_of, "anyOf");
  for (std::size_t i = 0; i < node.all_of.size(); ++i) {
    Path::Mark mark(path_);
    path_.child("allOf").index(i);
    nested(*node.all_of[i], skip_first_all && i == 0);
  }
  alternatives(node.one_of, "oneOf");
  if (node.negated) {
    Path::Mark mark(path_);
    path_.child("not");
    nested(*node.negated, false);
  }
  if (!node.pattern.empty() && node.regex == nullptr)
    wrong("pattern", node.pattern,
          fmt::format("must be a valid regular expression, but isn't: {}",
                      cel_lib::regex_error(node.pattern)));
}

/// Inside allOf, anyOf, oneOf and not, only validations of declared fields are allowed.
void Check::nested(const Node& node, bool skip_any) {
  validations(node, skip_any, false);
  if (node.items) {
    Path::Mark mark(path_);
    path_.child("items");
    nested(*node.items, false);
  }
  for (const Property& property : node.properties) {
    Path::Mark mark(path_);
    path_.child("properties").key(property.name);
    nested(*property.schema, false);
    if (property.name == "metadata")
      causes_.push_back(forbidden_value(path_.text(), "must not be specified in a nested context"));
  }
  constexpr std::string_view kEmpty = "must be empty to be structural";
  constexpr std::string_view kUndefined = "must be undefined to be structural";
  constexpr std::string_view kFalse = "must be false to be structural";
  for (const char* field : {"type", "title", "description"})
    if (has_text(node, field)) forbidden(field, kEmpty);
  for (const char* field : {"additionalProperties", "default", "externalDocs",
                            "x-kubernetes-list-type", "x-kubernetes-map-type"})
    if (!node.source[field].is_null()) forbidden(field, kUndefined);
  for (const char* field : {"nullable", "x-kubernetes-preserve-unknown-fields",
                            "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string"})
    if (node.source[field].as_bool()) forbidden(field, kFalse);
  if (!node.list_keys.empty()) forbidden("x-kubernetes-list-map-keys", kEmpty);
  if (!node.rules.empty()) forbidden("x-kubernetes-validations", kEmpty);
}

/// Fields named by the root's validations must be declared in its structure. `path_` is the place
/// of the structure, `from` that of the validations.
void Check::complete(const Node& validations, const Node& structure, Path& from) {
  const auto one = [&](const Node& node) { complete_nested(node, structure, from); };
  const auto each = [&](const std::vector<Schema>& schemas, std::string_view name) {
    for (std::size_t i = 0; i < schemas.size(); ++i) {
      Path::Mark mark(from);
      from.child(name).index(i);
      one(*schemas[i]);
    }
  };
  if (validations.negated) {
    Path::Mark mark(from);
    from.child("not");
    one(*validations.negated);
  }
  each(validations.all_of, "allOf");
  each(validations.any_of, "anyOf");
  each(validations.one_of, "oneOf");
}

void Check::complete_nested(const Node& node, const Node& structure, Path& from) {
  complete(node, structure, from);
  const auto below = [&](const Node& validations, const Node* own) {
    if (own != nullptr) return complete_nested(validations, *own, from);
    causes_.push_back(
        required_value(path_.text(), fmt::format("because it is defined in {}", from.text())));
  };
  if (node.items) {
    Path::Mark mark(path_), mark_from(from);
    path_.child("items");
    from.child("items");
    below(*node.items, structure.items ? &*structure.items : nullptr);
  }
  for (const Property& property : node.properties) {
    Path::Mark mark(path_), mark_from(from);
    path_.child("properties").key(property.name);
    from.child("properties").key(property.name);
    below(*property.schema, structure.property(property.name));
  }
}

}  // namespace

std::vector<Cause> structural_causes(const Schema& schema, std::string_view path) {
  Causes causes = Check(path).run(*schema);
  if (causes.empty()) causes = internal::default_causes(schema, path);
  Causes forms = internal::form_causes(*schema, path);
  causes.insert(causes.end(), std::make_move_iterator(forms.begin()),
                std::make_move_iterator(forms.end()));
  if (causes.empty()) causes = rule_causes(schema, path);
  return causes;
}

Result<Schema> read(const Value& value, std::string_view path) {
  PORTICO_TRY(Schema schema, parse(value));
  std::vector<Cause> causes = structural_causes(schema, path);
  if (causes.empty()) return schema;
  Error error = invalid("{}", line(causes.front()));
  error.causes = std::move(causes);
  return error;
}

}  // namespace portico::schema
