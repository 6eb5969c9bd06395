// Equal parts of many values in one place in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "json/value.h"

namespace portico::json {

/// Remembers parts (objects, arrays and strings) of the values it has seen. For many objects that
/// are kept at once and repeat each other, like the variants of a set: each costs the memory of
/// what is its own. Not thread-safe (use Guarded).
class Pool {
 public:
  /// Remembers at most `parts` parts; a new part replaces an older one, by hash. Parts of more than
  /// kLargest bytes are not remembered, so that the memory of the pool itself is small.
  explicit Pool(std::size_t parts) : parts_(parts > 0 ? parts : 1) {}

  /// `value`, in which each part that equals a remembered one is replaced by that one. The result
  /// equals `value`, and is `value` itself if nothing was replaced. Linear in the size of `value`.
  Value intern(const Value& value);

  static constexpr std::size_t kLargest = 2048;

 private:
  struct Part {
    std::uint64_t hash = 0;
    Value value{};
    std::size_t bytes = 0;  // approximately
  };
  Part seen(const Value& value);
  Part seen_items(const Value& value);
  Part seen_members(const Value& value);
  Part remembered(Part part);

  std::vector<Part> parts_;  // at the index hash % size; null: none yet
};

}  // namespace portico::json
