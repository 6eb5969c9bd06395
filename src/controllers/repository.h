// The Repository controller: mirrors the revisions of a registered git repository as stored
// objects.
#pragma once

#include <chrono>
#include <optional>

#include "base/result.h"
#include "controllers/all.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"
#include "work/next_reconcile.h"
#include "work/run.h"

namespace portico::controllers {

/// Syncs one Repository and writes its status:
/// - condition Ready, with reason Ready, Error, or ValidationError if it does not decode;
/// - packageCount, nextFullSyncTime, observedRunOnceAt, retry;
/// - lastFullSyncTime and the branch's commit at that time, if something changed or spec.sync asked
///   for the sync.
/// Asks to be run again at the times of spec.sync and, if that has no schedule, after `period`.
/// Forgets the objects of a Repository that is gone. An error that is returned is also in the
/// condition, except for an unreachable registry, which says nothing about the repository.
/// `failures`: number of consecutive failed syncs before.
Result<work::NextReconcile> sync_repository(const krm::ObjectKey& key, const World& world,
                                            std::optional<std::chrono::milliseconds> period = {},
                                            const work::Run& run = {}, int failures = 0);

/// Whether a sync with this error is retried by the queue's back-off. Otherwise it is retried after
/// the period, if there is one, because the fix, by an event or by an operator, may be in git.
bool is_tried_by_back_off(const Error& error, bool polls);

/// Updates only packageCount, from the stored revisions: after drafts were created or deleted.
Result<work::NextReconcile> count_packages(const krm::ObjectKey& key, registry::Registry& registry);

/// Whether the revisions of this Repository have been stored at least once. Before that they are
/// unknown rather than absent.
bool was_read(const json::Value& repository);

}  // namespace portico::controllers
