// Fields that objects can be listed by at the cost of the result.
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

/// An index over one kind, asked for with Query::fields {name, value}. Each path is a list of
/// member names; "[]" stands for every item of a list: {"spec", "targets", "[]", "repo"}. Strings
/// are indexed as they are, integers and booleans as JSON prints them. With several paths the value
/// is index_value() of theirs in order. An object in which a path leads nowhere is not in the
/// index.
struct IndexedField {
  krm::GroupKind type;
  std::string name;
  std::vector<std::vector<std::string>> paths;
};

/// The value of an index over several paths; no two lists of parts give the same value.
std::string index_value(std::initializer_list<std::string_view> parts);

/// The inverse of index_value() of `count` parts; nothing where `value` is none of those.
std::optional<std::vector<std::string>> index_parts(std::string_view value, std::size_t count);

/// What `object` is indexed under. Sorted, each once.
std::vector<std::string> index_values(const IndexedField& field, const json::Value& object);

/// kInvalid where two fields of a kind share a name, a path is empty, or more than one path of a
/// field has a "[]" (the index would grow with the product of the lists).
Result<Done> validate_indexed_fields(const std::vector<IndexedField>& fields);

}  // namespace portico::registry
