// The hash table of dicts and sets, in order of insertion.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "starlark/value.h"

namespace portico::starlark {
class Heap;
}

namespace portico::starlark::internal {

/// Entries in a row, and an index of their places by hash. A removed entry leaves a gap until the
/// next time the table grows. Keys that are equal by == are one key. Knows nothing of freezing.
/// Each function may throw a Fault: for keys that cannot be hashed or compared, and where the heap
/// has no room.
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
  /// True where the key was not there before.
  bool set(Heap& heap, Value key, Value value);
  std::optional<Value> remove(Heap& heap, Value key);
  void clear();
  /// With gaps: skip those whose key is unset.
  const std::vector<Entry>& entries() const { return entries_; }
  /// The first entry that is no gap, or nullptr.
  const Entry* first();

 private:
  /// Place of the key in the index, or of the free slot where it belongs.
  std::size_t slot_of(Heap& heap, Value key, std::uint64_t hash);
  void rebuild(Heap& heap);

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> index_;  // place in entries_ + 1; 0: free. Size is a power of two
  std::size_t live_ = 0;
  std::size_t first_ = 0;  // no entry before it is live
};

}  // namespace portico::starlark::internal
