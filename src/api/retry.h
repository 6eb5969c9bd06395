// What a status says of failures: how many in a row, and when the next try is due.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/time.h"

namespace portico::api {

/// Ours: status.retry, there while an object fails and is to be tried again.
struct Retry {
  std::int64_t failures = 0;  // in a row, when it was written
  std::string since, next;    // RFC 3339: the first of them, and when the next try was due then
  bool operator==(const Retry&) const = default;
};

/// The status.retry after the failure number `failures` (1, 2, ...) in a row, of which the next try
/// is due after `wait`. `before` where it stands well enough: it is written anew at the 1st, 2nd,
/// 4th, 8th ... failure only, so that what fails for days writes a few times.
Retry count_failure(const std::optional<Retry>& before, int failures,
                    std::chrono::milliseconds wait, TimePoint now);

}  // namespace portico::api
