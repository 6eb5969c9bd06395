// One look at a key, from the event that woke it to the commit that comes of it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/result.h"
#include "work/back_off.h"

namespace portico::work {

/// What helps after a look that ended with an Error, by its code.
enum class Next {
  kEvent,   // only a change does: kInvalid, kNotFound
  kAtOnce,  // kConflict, while no more of them come in a row than bad luck explains: the first at
            // once, the next ones after 50 ms, 100 ms and so on, so that losers spread
  kSoon,    // another try, after a back-off
  kSlowly,  // another try, after a slow one: a person mends it elsewhere (base/world_error.h)
};
/// `failures`: in a row, before this one.
Next next_after(const Error& error, int failures);

struct Run {
  std::string id{};  // the field "run" of every line that is logged on its way; "" outside a pool
  int failures = 0;  // in a row, of the looks before this one
  BackOff back_off{}, slow = kSlowBackOff;  // of the pool
  double jitter = 0;                        // of the wait after this look

  /// How long the pool waits before the next look where this one ends with `error`; nothing where
  /// it waits for an event.
  std::optional<std::chrono::milliseconds> wait_after(const Error& error) const;
};

}  // namespace portico::work
