// Equal parts of two values in one place in memory.
#pragma once

#include "json/value.h"

namespace portico::json {

/// `next`, in which each object, array and string that equals its counterpart in `previous` (the
/// same key of an object, the same index of an array) is replaced by that counterpart. The result
/// equals `next`; it is `previous` itself if the two are equal, and `next` itself if nothing is to
/// be replaced. For successive versions of an object that are all kept: each costs the memory of
/// what changed. Linear in the size of both.
Value share(const Value& next, const Value& previous);

}  // namespace portico::json
