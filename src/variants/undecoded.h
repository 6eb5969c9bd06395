// The status of an object that does not decode.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace portico::variants {

/// The new status of `object`, which cannot be processed because it, or an object that it depends
/// on, does not decode; `why` is the reason. Keeps the current status, but sets Stalled to True and
/// Ready to False (for a Repository only Ready), with reason ValidationError and the current
/// generation. Removes `retry`, because only a change triggers another try. Equal to the current
/// status if that already says so.
json::Value undecoded_status(const json::Value& object, const Error& why, TimePoint now);

}  // namespace portico::variants
