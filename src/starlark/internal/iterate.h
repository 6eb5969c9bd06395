// Iterates over the elements of an iterable.
#pragma once

#include <optional>
#include <utility>

#include "starlark/heap.h"
#include "starlark/internal/object.h"
#include "starlark/value.h"

namespace portico::starlark::internal {

/// A position in an iterable. While it exists, the list, dict or set cannot be modified.
class Iterator {
 public:
  /// nullopt if the value is not iterable; strings are not.
  static std::optional<Iterator> over(Value value);
  Iterator(Iterator&& other) noexcept
      : value_(std::exchange(other.value_, Value())),
        at_(other.at_),
        iterations_(std::exchange(other.iterations_, nullptr)) {}
  Iterator& operator=(Iterator&& other) noexcept {
    std::swap(value_, other.value_);
    std::swap(at_, other.at_);
    std::swap(iterations_, other.iterations_);
    return *this;
  }
  ~Iterator() {
    if (iterations_ != nullptr) --*iterations_;
  }

  /// Returns false at the end. Counts as one step.
  bool next(Heap& heap, Value& element);

 private:
  explicit Iterator(Value value) : value_(value) {}
  Value value_;
  std::size_t at_ = 0;
  std::uint32_t* iterations_ = nullptr;
};

/// Calls `each` with every element; returns false if `value` is not iterable.
template <class Each>
bool for_each(Heap& heap, Value value, Each each) {
  std::optional<Iterator> iterator = Iterator::over(value);
  if (!iterator) return false;
  for (Value element; iterator->next(heap, element);) each(element);
  return true;
}

}  // namespace portico::starlark::internal
