// Fields by which objects can be listed at a cost proportional to the result.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"

namespace portico::registry {

/// An index over one kind, selected with Query::fields {name, value}. Each path is a list of member
/// names; "[]" stands for every item of a list: {"spec", "targets", "[]", "repo"}. Strings are
/// indexed as they are, integers and booleans in their JSON form. With several paths the value is
/// index_value() of their values in order. An object without a value at one of the paths is not in
/// the index.
struct IndexedField {
  krm::GroupKind type;
  std::string name;
  std::vector<std::vector<std::string>> paths;
};

/// The value of an index over several paths; different lists of parts give different values.
std::string index_value(std::initializer_list<std::string_view> parts);

/// The inverse of index_value() of `count` parts; nullopt if `value` does not have that form.
std::optional<std::vector<std::string>> index_parts(std::string_view value, std::size_t count);

/// The values under which `object` is indexed, sorted and unique.
std::vector<std::string> index_values(const IndexedField& field, const json::Value& object);

/// kInvalid if two fields of a kind share a name, a path is empty, or more than one path of a field
/// has a "[]" (the index would grow with the product of the lists).
Result<Done> validate_indexed_fields(const std::vector<IndexedField>& fields);

}  // namespace portico::registry
