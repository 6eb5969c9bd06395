// status.retry: the number of consecutive failures of an object, and when the next try is due.
#pragma once

#include <optional>

#include "api/retry.h"
#include "base/result.h"
#include "base/time.h"
#include "work/run.h"

namespace portico::controllers {

/// The new status.retry after a reconcile; `before` is the current one. nullopt after success
/// (`error` is null) and if only an event can help. Unchanged if the retry is immediate, or if the
/// reconcile ran outside a pool, where nothing repeats it.
std::optional<api::Retry> retry_after(const std::optional<api::Retry>& before, const Error* error,
                                      const work::Run& run, TimePoint now);

}  // namespace portico::controllers
