// The lists of the built-in Kubernetes kinds that are merged item by item.
#pragma once

#include <span>

namespace portico::merge::internal {

/// One field on the way to, or of, such a list. Types are named as in the published OpenAPI, by
/// group and name: "io.k8s.api.core.v1.PodSpec" is "core.PodSpec".
struct ListField {
  const char* type;
  const char* field;
  const char* value_type;  // of the field's value or of its items; "" where no list is below
  const char* keys;        // of a list: names with ',' between; "*": a set of scalars; "": no list
};

/// Sorted by type.
std::span<const ListField> list_fields();

struct KindType {
  const char* group;
  const char* kind;
  const char* type;
};
std::span<const KindType> kind_types();

}  // namespace portico::merge::internal
