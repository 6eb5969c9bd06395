// The Repository controller: a registered git repository's revisions as stored objects.
#pragma once

#include <chrono>
#include <optional>

#include "base/result.h"
#include "controllers/all.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"
#include "work/next_look.h"
#include "work/run.h"

namespace portico::controllers {

/// Syncs one Repository and writes its status: condition Ready (reasons Ready, Error,
/// ValidationError where it does not decode), packageCount, lastFullSyncTime and the
/// branch's commit at that time when something changed or spec.sync asked for it, nextFullSyncTime,
/// observedRunOnceAt, retry. Is to be done again at the times of spec.sync and, where that has no
/// schedule, after `period`. The objects of a Repository that is gone are forgotten. The Error,
/// when there is one, stands in the condition too, but for one of a registry that was not reached:
/// that is no news of the repository. `failures`: syncs in a row that failed before.
Result<work::NextLook> sync_repository(const krm::ObjectKey& key, const World& world,
                                       std::optional<std::chrono::milliseconds> period = {},
                                       const work::Run& run = {}, int failures = 0);

/// Whether the back-off of the queue says when a sync that failed so is tried again; else the
/// period does, if there is one: the event that mends it, or what a person mends, may be in git.
bool is_tried_by_back_off(const Error& error, bool polls);

/// Only packageCount, from the stored revisions: after drafts came and went.
Result<work::NextLook> count_packages(const krm::ObjectKey& key, registry::Registry& registry);

/// Whether the revisions of this Repository have been stored at least once: those of one that has
/// not are unknown and not none.
bool was_read(const json::Value& repository);

}  // namespace portico::controllers
