// Offsets of time zones.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace portico::cel_lib::internal {

/// Seconds to add to UTC in `zone` at that time: "+05:30", "-02:30", "02:00", "UTC" or a name of
/// the time zone database. Nothing for an unknown zone. Names follow today's rules of their zone
/// (docs/decisions/0032), so dates before a zone's last change of rules may be off.
std::optional<std::int64_t> zone_offset(std::string_view zone, std::int64_t utc_seconds);

}  // namespace portico::cel_lib::internal
