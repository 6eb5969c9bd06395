// When a Repository is to be read again. Pure.
#pragma once

#include <chrono>
#include <optional>

#include "api/repository.h"
#include "base/time.h"

namespace portico::controllers {

/// The next time that the spec asks for: by its schedule, and once at runOnceAt where that was not
/// done yet. Nothing where it asks for none, or in words that cannot be read.
std::optional<TimePoint> next_wanted_sync(const api::Repository& repository, TimePoint now);

/// How long until the next look after one at `now`: what the spec wants, and where it has no
/// schedule `period`, whichever is sooner.
std::optional<std::chrono::milliseconds> until_next_sync(
    const api::Repository& repository, std::optional<std::chrono::milliseconds> period,
    TimePoint now);

/// spec.sync.runOnceAt has come.
bool is_run_once_due(const api::Repository& repository, TimePoint now);

}  // namespace portico::controllers
