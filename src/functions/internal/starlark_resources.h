// Converts resources to Starlark values and back.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/resource_list.h"
#include "starlark/heap.h"
#include "starlark/value.h"

namespace portico::functions {

/// Objects become dicts whose keys are in byte order.
starlark::Value to_starlark(starlark::Heap& heap, const json::Value& value);

/// kInvalid for values that are not data (functions, sets, bytes), ints beyond 64 bits, floats
/// without a JSON number, and values nested deeper than 100 levels, which includes values that
/// contain themselves.
Result<json::Value> from_starlark(const starlark::Value& value);

/// The items of a resource list while a program works on them.
class StarlarkItems {
 public:
  /// Each item becomes a dict that shows its place in kpt's annotations, both old and new names.
  StarlarkItems(starlark::Heap& heap, const std::vector<krm::Item>& items);

  starlark::Value list() const { return list_; }

  /// The items that `list` holds now. An item is recognized by its dict or, if the program made a
  /// copy, by the place in its annotations. kInvalid if `list` is not a list of resources.
  Result<std::vector<krm::Item>> collect(const starlark::Value& list) const;

 private:
  struct Given {
    json::Value shown;  // including the annotations
    std::uintptr_t identity;
  };
  Result<krm::Item> collect_one(const starlark::Value& one, std::vector<bool>& taken) const;
  /// The index of the item that a value came from, or -1 for a new one.
  int origin_of(const starlark::Value& one, const json::Value& value,
                const std::vector<bool>& taken) const;

  const std::vector<krm::Item>& items_;
  std::vector<Given> given_;
  starlark::Value list_;
};

}  // namespace portico::functions
