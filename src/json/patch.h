// JSON Merge Patch (RFC 7386).
#pragma once

#include "json/value.h"

namespace portico::json {

/// `target` after `patch`: members of objects are merged, null removes a member, anything else
/// replaces. What the patch does not name is shared with `target`; a patch that changes nothing
/// gives `target` itself.
Value with_merge_patch(const Value& target, const Value& patch);

/// The smallest patch that turns `from` into `to`: with_merge_patch(from, merge_patch(from, to))
/// == to, unless `to` has members that are null (a merge patch cannot set those). {} where they are
/// equal.
Value merge_patch(const Value& from, const Value& to);

}  // namespace portico::json
