#include "schema/object.h"

#include <algorithm>
#include <limits>

#include "json/text.h"
#include "schema/causes.h"
#include "schema/lists.h"
#include "schema/shape.h"
#include "schema/validate.h"

namespace portico::schema {
namespace {

using json::Value;
using Causes = std::vector<Cause>;

void append(Causes& causes, Causes more) {
  causes.insert(causes.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

/// Go's type name of a value that is not an object.
std::string_view go_type(const Value& value) {
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  if (value.is_int()) return "int64";
  return value.is_number() ? "float64" : "[]interface {}";
}

/// Checks one number of the scale: a non-negative 32-bit integer.
void check_replicas(const Value& object, const std::string& path, Causes& causes) {
  if (path.empty()) return;
  const Value* here = &object;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (!here->is_object()) {
      const std::string shown =
          here->is_string() ? std::string(here->as_string()) : json::print(*here);
      causes.push_back(invalid_value(
          path, 0,
          fmt::format("{} accessor error: {} is of the type {}, expected map[string]interface{{}}",
                      path, shown, go_type(*here))));
      return;
    }
    here = here->find(std::string_view(path).substr(begin, end - begin));
    if (here == nullptr || here->is_null()) return;
    begin = end + 1;
  }
  if (!here->is_int()) return;  // the schema reports other types
  if (here->as_int() < 0) {
    causes.push_back(invalid_value(path, *here, "should be a non-negative integer"));
  } else if (here->as_int() > std::numeric_limits<std::int32_t>::max()) {
    causes.push_back(invalid_value(path, *here,
                                   fmt::format("should be less than or equal to {}",
                                               std::numeric_limits<std::int32_t>::max())));
  }
}

Causes scale_causes(const Value& object, const ObjectRules& rules) {
  Causes causes;
  if (!rules.scale) return causes;
  check_replicas(object, rules.scale->spec_replicas, causes);
  check_replicas(object, rules.scale->status_replicas, causes);
  return causes;
}

/// Rules need valid types and sizes: if there are such errors, no rule is evaluated.
void add_rules(Causes& causes, const Value& object, const Value* old, const Schema& schema,
               const Rules& rules) {
  constexpr std::string_view kBlocking[] = {"FieldValueNotSupported", "FieldValueRequired",
                                            "FieldValueTooLong", "FieldValueTooMany",
                                            "FieldValueTypeInvalid"};
  if (!schema->has_rules) return;
  const bool blocked = std::any_of(causes.begin(), causes.end(), [&](const Cause& cause) {
    return std::find(std::begin(kBlocking), std::end(kBlocking), cause.reason) !=
           std::end(kBlocking);
  });
  if (!blocked) return append(causes, rules.evaluate(object, old));
  causes.push_back(invalid_value("<nil>", nullptr,
                                 "some validation rules were not checked because the object was "
                                 "invalid; correct the existing errors to complete validation"));
}

}  // namespace

std::string unknown_field(std::string_view path) {
  return fmt::format("unknown field \"{}\"", path);
}

Result<TakenIn> take_in(const Value& object, const Schema& schema) {
  PORTICO_TRY(Coerced coerced, coerce_metadata(object, schema));
  Pruned pruned = prune(coerced.object, schema);
  TakenIn out;
  // Kubernetes decodes the object's own metadata first, embedded metadata last.
  const auto embedded =
      std::stable_partition(coerced.unknown.begin(), coerced.unknown.end(),
                            [](const std::string& path) { return path.starts_with("metadata."); });
  out.unknown.assign(coerced.unknown.begin(), embedded);
  out.unknown.insert(out.unknown.end(), pruned.unknown.begin(), pruned.unknown.end());
  out.unknown.insert(out.unknown.end(), embedded, coerced.unknown.end());
  out.object = apply_defaults(pruned.value, schema);
  return out;
}

Causes create_causes(const Value& object, const Schema& schema, const ObjectRules& rules) {
  Causes causes = metadata_causes(object["metadata"], "metadata", rules.name, rules.namespaced);
  append(causes, embedded_causes(object, schema));
  append(causes, list_causes(object, schema));
  append(causes, validate(object, schema));
  append(causes, scale_causes(object, rules));
  add_rules(causes, object, nullptr, schema, rules.rules);
  return causes;
}

Causes update_causes(const Value& object, const Value& old, const Schema& schema,
                     const ObjectRules& rules) {
  Causes causes = metadata_causes(object["metadata"], "metadata", rules.name, rules.namespaced);
  append(causes, embedded_causes(object, schema));
  if (list_causes(old, schema).empty()) append(causes, list_causes(object, schema));
  append(causes, validate_update(object, old, schema));
  append(causes, scale_causes(object, rules));
  add_rules(causes, object, &old, schema, rules.rules);
  return causes;
}

}  // namespace portico::schema
