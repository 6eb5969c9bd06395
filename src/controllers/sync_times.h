// When a Repository is read again. Pure.
#pragma once

#include <chrono>
#include <optional>

#include "api/repository.h"
#include "base/time.h"

namespace portico::controllers {

/// The next sync that the spec asks for: by its schedule, and once at runOnceAt if that has not
/// been done. nullopt if it asks for none, or if the fields do not parse.
std::optional<TimePoint> next_wanted_sync(const api::Repository& repository, TimePoint now);

/// How long after `now` the next sync is due: at the time the spec asks for or, if it has no
/// schedule, after `period`, whichever is sooner.
std::optional<std::chrono::milliseconds> until_next_sync(
    const api::Repository& repository, std::optional<std::chrono::milliseconds> period,
    TimePoint now);

/// Whether spec.sync.runOnceAt has passed and has not been done.
bool is_run_once_due(const api::Repository& repository, TimePoint now);

}  // namespace portico::controllers
