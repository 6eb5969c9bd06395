// status.retry: the number of consecutive failures, and when the next try is due.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace portico::api {

/// Portico only: status.retry, present while an object fails and will be retried.
struct Retry {
  std::int64_t failures = 0;  // consecutive ones, as of the last write
  std::string since, next;    // RFC 3339: first failure, next try as of the last write
  bool operator==(const Retry&) const = default;
};

/// The status.retry after the `failures`-th consecutive failure (1, 2, ...), if the next try is due
/// after `wait`. Returns `before` unchanged except at the 1st, 2nd, 4th, 8th ... failure, so that a
/// failure that lasts for days causes only a few writes.
Retry count_failure(const std::optional<Retry>& before, int failures,
                    std::chrono::milliseconds wait, TimePoint now);

}  // namespace portico::api
