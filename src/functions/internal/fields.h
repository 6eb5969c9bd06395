// Changes values at field paths and shares everything else.
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

/// The action where a path ends in nothing.
enum class Missing { kSkip, kCreate };

/// Applies `change` to each value at `path` in `root`. With kCreate, missing maps on the path are
/// created (lists never are), and `change` gets null for a missing value. A place where a step
/// meets a value of the wrong type is skipped. Unchanged parts are shared with `root`.
json::Value change_at(const json::Value& root, std::span<const std::string_view> path,
                      Missing missing,
                      const std::function<json::Value(const json::Value&)>& change);

/// The value at `path` (no "[]"), or null.
const json::Value& value_at(const json::Value& root, std::span<const std::string_view> path);
inline const json::Value& value_at(const json::Value& root,
                                   std::initializer_list<std::string_view> path) {
  return value_at(root, std::span(path.begin(), path.size()));
}

/// A scalar as text: strings unchanged, numbers and booleans as JSON prints them, else "".
std::string scalar_text(const json::Value& value);

}  // namespace portico::functions
