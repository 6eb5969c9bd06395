// The packed-refs file: many refs in one file, replaced as a whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/oid.h"

namespace portico::git {

struct PackedRef {
  std::string name;
  Oid id;
  std::optional<Oid> peeled;  // of an annotated tag: the object it peels to
  bool operator==(const PackedRef&) const = default;
};

struct PackedRefs {
  /// Every annotated tag has its peeled id (the header's "fully-peeled").
  bool fully_peeled = true;
  std::vector<PackedRef> refs;  // sorted by name

  const PackedRef* find(std::string_view name) const;
};

/// kInvalid for lines that are not understood: writing the file back would lose them.
Result<PackedRefs> parse_packed_refs(std::string_view text);
std::string print_packed_refs(const PackedRefs& packed);

}  // namespace portico::git
