// JSON Merge Patch (RFC 7386).
#pragma once

#include "json/value.h"

namespace portico::json {

/// Applies `patch` to `target`: members of objects are merged, null removes a member, anything else
/// replaces. Parts that the patch does not name are shared with `target`; a patch that changes
/// nothing returns `target` itself.
Value with_merge_patch(const Value& target, const Value& patch);

/// The smallest patch from `from` to `to`: with_merge_patch(from, merge_patch(from, to)) == to,
/// unless `to` has null members, which a merge patch cannot set. {} if the values are equal.
Value merge_patch(const Value& from, const Value& to);

}  // namespace portico::json
