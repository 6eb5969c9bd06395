// Changing values at field paths, with everything else shared.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::functions {

/// Member names from the root; "[]" stands for every item of a list.
using FieldPath = std::vector<std::string_view>;

/// What happens where a path ends in nothing.
enum class Missing { kSkip, kCreate };

/// `root` with `change` applied to each value at `path`. With kCreate maps on the way are made
/// (lists never are) and `change` gets null for what is missing. Where a step meets a value of
/// another type that place is passed over. What does not change is shared with `root`.
json::Value change_at(const json::Value& root, std::span<const std::string_view> path,
                      Missing missing,
                      const std::function<json::Value(const json::Value&)>& change);

/// The value at `path` (no "[]"), or null.
const json::Value& value_at(const json::Value& root, std::span<const std::string_view> path);
inline const json::Value& value_at(const json::Value& root,
                                   std::initializer_list<std::string_view> path) {
  return value_at(root, std::span(path.begin(), path.size()));
}

/// A scalar as text: strings as they are, numbers and booleans as JSON prints them, else "".
std::string scalar_text(const json::Value& value);

}  // namespace portico::functions
