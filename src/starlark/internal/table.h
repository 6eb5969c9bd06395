// The hash table of dicts and sets, in insertion order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "starlark/value.h"

namespace portico::starlark {
class Heap;
}

namespace portico::starlark::internal {

/// A sequence of entries, and an index of their positions by hash. A removed entry leaves a gap
/// until the table next grows. Keys that compare equal are the same key. Does not check whether the
/// table is frozen. Every function may throw an EvalError: if a key cannot be hashed or compared,
/// or if the heap is full.
class Table {
 public:
  struct Entry {
    Value key;  // unset: a gap
    Value value;
    std::uint64_t hash;
  };

  std::size_t size() const { return live_; }
  /// The value of the key, or nullptr.
  Value* find(Heap& heap, Value key);
  /// Returns true if the key is new.
  bool set(Heap& heap, Value key, Value value);
  std::optional<Value> remove(Heap& heap, Value key);
  void clear();
  /// Includes gaps: skip entries whose key is unset.
  const std::vector<Entry>& entries() const { return entries_; }
  /// The first entry that is not a gap, or nullptr.
  const Entry* first();

 private:
  /// The slot of the key in the index, or the free slot where it belongs.
  std::size_t slot_of(Heap& heap, Value key, std::uint64_t hash);
  void rebuild(Heap& heap);

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> index_;  // index in entries_ + 1; 0: free. The size is a power of two
  std::size_t live_ = 0;
  std::size_t first_ = 0;  // no live entry is before it
};

}  // namespace portico::starlark::internal
