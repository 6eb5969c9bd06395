// Resources as Starlark values, and back.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/resource_list.h"
#include "starlark/heap.h"
#include "starlark/value.h"

namespace portico::functions {

/// Objects become dicts with their keys in order of bytes.
starlark::Value to_starlark(starlark::Heap& heap, const json::Value& value);

/// kInvalid for what is no data (functions, sets, bytes), for ints beyond 64 bits, floats that JSON
/// has no number for, and values nested deeper than 100 levels: those that contain themselves.
Result<json::Value> from_starlark(const starlark::Value& value);

/// The items of a resource list while a program has them.
class StarlarkItems {
 public:
  /// Each item becomes a dict that shows its place in the annotations of kpt, old names and new.
  StarlarkItems(starlark::Heap& heap, const std::vector<krm::Item>& items);

  starlark::Value list() const { return list_; }

  /// The items that `list` holds now. One is recognised by its dict, or by the place in its
  /// annotations where a program made a copy. kInvalid where it is no list of resources.
  Result<std::vector<krm::Item>> collect(const starlark::Value& list) const;

 private:
  struct Given {
    json::Value shown;  // with the annotations
    std::uintptr_t identity;
  };
  Result<krm::Item> collect_one(const starlark::Value& one, std::vector<bool>& taken) const;
  /// The position of the item that a value came from, -1 for a new one.
  int origin_of(const starlark::Value& one, const json::Value& value,
                const std::vector<bool>& taken) const;

  const std::vector<krm::Item>& items_;
  std::vector<Given> given_;
  starlark::Value list_;
};

}  // namespace portico::functions
