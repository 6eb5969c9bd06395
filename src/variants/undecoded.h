// What is said of an object that does not decode.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace portico::variants {

/// The status of `object`, which cannot be worked on because it, or something that it rests on,
/// does not decode: `why` says what. As it was, but Stalled is True and Ready is False with reason
/// ValidationError, of this generation; of a Repository only Ready. It is not tried again before
/// something changes, so there is no retry. Equal to what it was where that is said already.
json::Value undecoded_status(const json::Value& object, const Error& why, TimePoint now);

}  // namespace portico::variants
