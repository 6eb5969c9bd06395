// Plans what the controllers would do, by running them on a fork of the store and scratch
// repositories.
#pragma once

#include <chrono>
#include <map>
#include <set>

#include "base/result.h"
#include "controllers/all.h"
#include "controllers/manager.h"
#include "controllers/plan.h"

namespace portico::controllers {

/// Runs the controllers over `fork` until nothing is left to do. `fork.registry` is a fork of
/// `below` that already contains the changed objects. `fork.packages` writes only to scratch
/// repositories (gitpackages/git_packages.h). `fork.observer` is ignored. `asked` are the objects
/// that the plan is about. kUnavailable if the controllers do not settle within `limit`.
Result<Plan> make_plan(const registry::Registry& below, const World& fork, Log& log,
                       const std::set<krm::ObjectKey>& asked, std::chrono::milliseconds limit,
                       const std::function<void(const Progress&)>& report);

/// Adds the failures among the Repositories, sets and variants of `now` (see PlannedError). Removes
/// the sets and variants that do nothing and whose conditions are as before, unless they were asked
/// for.
Result<Done> compare(Plan& plan, const registry::Registry& before, const registry::Registry& now,
                     const std::set<krm::ObjectKey>& asked);

/// Adds failures that the status does not show (Manager::failing()), marked as new.
void add_untold(Plan& plan, const std::map<krm::ObjectKey, Error>& failing);

/// Removes new failures of objects outside `about`: they belong to other users.
void leave_to_others(Plan& plan, const std::set<krm::ObjectKey>& about);

/// The failures in `now`, in the form of Plan::errors.
Result<std::vector<PlannedError>> errors_of(const registry::Registry& before,
                                            const registry::Registry& now,
                                            const std::set<krm::ObjectKey>& asked);

}  // namespace portico::controllers
