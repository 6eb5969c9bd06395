// status.retry: how often in a row a look at an object has failed, and when the next one is due.
#pragma once

#include <optional>

#include "api/retry.h"
#include "base/result.h"
#include "base/time.h"
#include "work/run.h"

namespace portico::controllers {

/// What the status says after a look; `before` is what it says. Nothing after one that worked
/// (`error` is null) and where only an event helps; as it was for one that is repeated at once, and
/// for one outside a pool, which nobody repeats.
std::optional<api::Retry> retry_after(const std::optional<api::Retry>& before, const Error* error,
                                      const work::Run& run, TimePoint now);

}  // namespace portico::controllers
