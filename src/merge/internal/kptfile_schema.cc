#include "merge/internal/kptfile_schema.h"

#include <initializer_list>
#include <utility>
#include <vector>

namespace portico::merge::internal {
namespace {

using json::Value;

Value map_of(std::vector<json::Member> fields) {
  return Value::object({{"properties", Value::object(std::move(fields))}});
}

Value list_by(const char* key) {
  return Value::object(
      {{"x-kubernetes-list-type", "map"}, {"x-kubernetes-list-map-keys", Value::array({key})}});
}

Value pipeline() {
  const Value functions = Value::object({{"x-portico-list-type", "functions"}});
  return map_of({{"mutators", functions}, {"validators", functions}});
}

}  // namespace

Value functions_schema() { return map_of({{"pipeline", pipeline()}}); }

Value kptfile_schema() {
  return map_of({{"pipeline", pipeline()},
                 {"info", map_of({{"readinessGates", list_by("conditionType")}})},
                 {"status", map_of({{"conditions", list_by("type")}})}});
}

}  // namespace portico::merge::internal
