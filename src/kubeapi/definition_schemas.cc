#include <algorithm>
#include <array>

#include "kubeapi/definition_rules.h"

namespace portico::kubeapi {

using json::Value;

namespace {

enum class Holds {
  kValue,    // any value, kept unchanged
  kNonZero,  // kept unless it is false, "", [] or {}
  kSchema,   // one schema, or a boolean
  kSchemas,  // a list of schemas
  kItems,    // a schema or a list of them
  kMap,      // schemas by name
};

struct Member {
  std::string_view name;
  Holds holds;
};

// JSONSchemaProps of apiextensions.k8s.io/v1, by name.
constexpr std::array kMembers = {
    Member{"$ref", Holds::kNonZero},
    Member{"$schema", Holds::kNonZero},
    Member{"additionalItems", Holds::kSchema},
    Member{"additionalProperties", Holds::kSchema},
    Member{"allOf", Holds::kSchemas},
    Member{"anyOf", Holds::kSchemas},
    Member{"default", Holds::kValue},
    Member{"definitions", Holds::kMap},
    Member{"dependencies", Holds::kNonZero},
    Member{"description", Holds::kNonZero},
    Member{"enum", Holds::kNonZero},
    Member{"example", Holds::kValue},
    Member{"exclusiveMaximum", Holds::kNonZero},
    Member{"exclusiveMinimum", Holds::kNonZero},
    Member{"externalDocs", Holds::kValue},
    Member{"format", Holds::kNonZero},
    Member{"id", Holds::kNonZero},
    Member{"items", Holds::kItems},
    Member{"maxItems", Holds::kValue},
    Member{"maxLength", Holds::kValue},
    Member{"maxProperties", Holds::kValue},
    Member{"maximum", Holds::kValue},
    Member{"minItems", Holds::kValue},
    Member{"minLength", Holds::kValue},
    Member{"minProperties", Holds::kValue},
    Member{"minimum", Holds::kValue},
    Member{"multipleOf", Holds::kValue},
    Member{"not", Holds::kSchema},
    Member{"nullable", Holds::kNonZero},
    Member{"oneOf", Holds::kSchemas},
    Member{"pattern", Holds::kNonZero},
    Member{"patternProperties", Holds::kMap},
    Member{"properties", Holds::kMap},
    Member{"required", Holds::kNonZero},
    Member{"title", Holds::kNonZero},
    Member{"type", Holds::kNonZero},
    Member{"uniqueItems", Holds::kNonZero},
    Member{"x-kubernetes-embedded-resource", Holds::kNonZero},
    Member{"x-kubernetes-int-or-string", Holds::kNonZero},
    Member{"x-kubernetes-list-map-keys", Holds::kNonZero},
    Member{"x-kubernetes-list-type", Holds::kValue},
    Member{"x-kubernetes-map-type", Holds::kValue},
    Member{"x-kubernetes-preserve-unknown-fields", Holds::kValue},
    Member{"x-kubernetes-validations", Holds::kNonZero},
};

bool is_zero(const Value& value) {
  if (value.is_null()) return true;
  if (value.is_bool()) return !value.as_bool();
  if (value.is_string()) return value.as_string().empty();
  return (value.is_array() || value.is_object()) && value.empty();
}

/// Deeper than any structural schema may be: deeper content stays unchanged and is rejected later.
constexpr int kMostDepth = 200;

class Cleaner {
 public:
  explicit Cleaner(std::vector<std::string>& unknown) : unknown_(unknown) {}

  Value schema(const Value& value, const std::string& path, int depth = 0) {
    if (!value.is_object() || depth > kMostDepth) return value;
    std::vector<json::Member> out;
    for (const json::Member& member : value.members()) {
      const std::string below = fmt::format("{}.{}", path, member.name());
      const auto known = std::lower_bound(
          kMembers.begin(), kMembers.end(), member.name(),
          [](const Member& one, std::string_view name) { return one.name < name; });
      if (known == kMembers.end() || known->name != member.name()) {
        unknown_.push_back(below);
        continue;
      }
      Value kept = member_of(member.value, known->holds, below, depth + 1);
      if (kept.is_null() && member.name() != "default") continue;
      out.push_back({member.key, std::move(kept)});
    }
    return Value::object(std::move(out));
  }

 private:
  // Null: remove the member.
  Value member_of(const Value& value, Holds holds, const std::string& path, int depth) {
    switch (holds) {
      case Holds::kValue:
        return value;
      case Holds::kNonZero:
        return is_zero(value) ? Value() : value;
      case Holds::kSchema:
        return schema(value, path, depth);
      case Holds::kItems:
        return value.is_array() ? schemas(value, path, depth) : schema(value, path, depth);
      case Holds::kSchemas:
        return is_zero(value) ? Value() : schemas(value, path, depth);
      case Holds::kMap:
        break;
    }
    if (is_zero(value)) return {};
    if (!value.is_object()) return value;
    std::vector<json::Member> out;
    for (const json::Member& member : value.members())
      out.push_back(
          {member.key, schema(member.value, fmt::format("{}.{}", path, member.name()), depth)});
    return Value::object(std::move(out));
  }

  Value schemas(const Value& list, const std::string& path, int depth) {
    std::vector<Value> out;
    for (const Value& item : list.items())
      out.push_back(schema(item, fmt::format("{}[{}]", path, out.size()), depth));
    return list.is_array() ? Value::array(std::move(out)) : list;
  }

  std::vector<std::string>& unknown_;
};

}  // namespace

TakenDefinition take_in_schemas(const Value& definition) {
  TakenDefinition out;
  out.object = definition;
  Cleaner cleaner(out.unknown);
  const auto versions = definition["spec"]["versions"].items();
  std::vector<Value> cleaned;
  for (const Value& version : versions) {
    const Value* schema = version["schema"].find("openAPIV3Schema");
    cleaned.push_back(
        schema == nullptr
            ? version
            : version.with_at(
                  {"schema", "openAPIV3Schema"},
                  cleaner.schema(*schema, fmt::format("spec.versions[{}].schema.openAPIV3Schema",
                                                      cleaned.size()))));
  }
  if (!versions.empty())
    out.object = definition.with_at({"spec", "versions"}, Value::array(std::move(cleaned)));
  return out;
}

}  // namespace portico::kubeapi
