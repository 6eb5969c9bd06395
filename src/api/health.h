// The health of an object, derived from its conditions.
#pragma once

#include <cstdint>
#include <span>

#include "api/meta.h"

namespace portico::api {

/// Reason of Ready=False if nothing is wrong but a user has to review.
inline constexpr std::string_view kWaitingForReview = "WaitingForReview";

enum class Health {
  kHealthy,
  kWaiting,  // not yet processed in this generation, or waiting for a review
  kFailing,  // needs a user's attention
};

/// Whether a status belongs to the current object: `generation` is the object's, `observed` the
/// status's. 0 means unknown and counts as equal.
bool is_current(std::int64_t generation, std::int64_t observed);

/// Based on Stalled and Ready; kWaiting if the status is outdated.
Health health_of(std::span<const Condition> conditions, std::int64_t generation,
                 std::int64_t observed);

}  // namespace portico::api
