// The lists of the built-in Kubernetes kinds that are merged item by item.
#pragma once

#include <span>

namespace portico::merge::internal {

/// A field that is such a list, or is on the path to one. Types are named by group and name of the
/// published OpenAPI: "io.k8s.api.core.v1.PodSpec" is "core.PodSpec".
struct ListField {
  const char* type;
  const char* field;
  const char* value_type;  // of the field's value or of its items; "" where no such list is below
  const char* keys;        // of a list: names separated by ','; "*": a set of scalars; "": no list
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
