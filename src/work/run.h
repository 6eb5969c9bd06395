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
  kSoon,    // retry after a back-off
  kSlowly,  // retry after a slow back-off: a person fixes it elsewhere (base/world_error.h)
};
/// `failures`: in a row, before this one.
Next next_after(const Error& error, int failures);

struct Run {
  std::string id{};  // the field "run" of every log line of this reconcile; "" outside a pool
  int failures = 0;  // in a row, before this reconcile
  BackOff back_off{}, slow = kSlowBackOff;  // the pool's
  double jitter = 0;                        // for the wait after this reconcile

  /// How long the pool waits before it retries if this reconcile ends with `error`; nullopt if it
  /// waits for an event.
  std::optional<std::chrono::milliseconds> wait_after(const Error& error) const;
};

}  // namespace portico::work
