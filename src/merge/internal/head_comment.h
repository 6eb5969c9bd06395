// Merges the comment above a resource.
#pragma once

#include "krm/object.h"

namespace portico::merge::internal {

/// Returns `merged` with upstream's current comment above the resource if upstream changed that
/// comment and the local version did not: the same rule as for values. A comment that contains
/// blank lines counts as one.
krm::Object with_head_comment(const krm::Object& base, const krm::Object& theirs,
                              const krm::Object& ours, krm::Object merged);

}  // namespace portico::merge::internal
