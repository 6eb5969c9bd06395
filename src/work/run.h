// One reconcile of a key, from the event that triggered it to the commit it produces.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "work/back_off.h"

namespace portico::work {

/// What to do after a reconcile that ended with an Error, by its code.
enum class Next {
  kEvent,   // wait for a change: kInvalid, kNotFound
  kAtOnce,  // kConflict, for a number in a row that chance can explain: the first at once, the next
            // ones after 50 ms, 100 ms and so on, to spread the losers of a race
  kRetry,   // after a wait: pace_of()
};
/// `failures`: in a row, before this one.
Next next_after(const Error& error, int failures);

/// The pace at which an attempt that failed with this error is repeated: by who can fix it
/// (base/world_error.h).
Pace pace_of(const Error& error);

struct Run {
  std::string id{};  // the field "run" of every log line of this reconcile; "" outside a pool
  int failures = 0;  // in a row, before this reconcile
  int refused = 0;   // see Failures
  BackOff back_off{}, slow = kSlowBackOff;  // the pool's
  double jitter = 0;                        // for the wait after this reconcile

  /// How long the pool waits before it retries if this reconcile ends with `error`; nullopt if it
  /// waits for an event.
  std::optional<std::chrono::milliseconds> wait_after(const Error& error) const;
};

}  // namespace portico::work
