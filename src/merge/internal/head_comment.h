// The comment that stands above a resource.
#pragma once

#include "krm/object.h"

namespace portico::merge::internal {

/// `merged` with the comment that upstream has above the resource now, where upstream changed it
/// and nobody here did: the rule of values, for what stands above all of them. A comment with blank
/// lines in it counts as one.
krm::Object with_head_comment(const krm::Object& base, const krm::Object& theirs,
                              const krm::Object& ours, krm::Object merged);

}  // namespace portico::merge::internal
