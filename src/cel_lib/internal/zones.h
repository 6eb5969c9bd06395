// Offsets of time zones.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace portico::cel_lib::internal {

/// The offset from UTC of `zone` at that time, in seconds. `zone` is "+05:30", "-02:30", "02:00",
/// "UTC" or a name in the time zone database; exact from the year 2000 on (docs/decisions/0123).
/// kInvalid for an unknown zone, and for earlier times in a zone that ever changed its clocks.
Result<std::int64_t> zone_offset(std::string_view zone, std::int64_t utc_seconds);

}  // namespace portico::cel_lib::internal
