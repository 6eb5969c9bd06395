// How an object fares: what its conditions come to.
#pragma once

#include <cstdint>
#include <span>

#include "api/meta.h"

namespace portico::api {

/// Reason of Ready=False where nothing is wrong: a person has the next word.
inline constexpr std::string_view kWaitingForReview = "WaitingForReview";

enum class Health {
  kHealthy,
  kWaiting,  // nothing was done for this generation yet, or a review is waited for
  kFailing,  // a person must look at it
};

/// Whether a status is of the object as it is now: `generation` is the object's, `observed` its
/// status's. 0 is not known, and counts as the same.
bool is_current(std::int64_t generation, std::int64_t observed);

/// By Stalled and Ready, where they are current.
Health health_of(std::span<const Condition> conditions, std::int64_t generation,
                 std::int64_t observed);

}  // namespace portico::api
