// What the controllers would do: they do it, to a fork of the store and to scratch repositories.
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
/// `below` with the changed objects written into it; `fork.packages` writes to scratch repositories
/// only (gitpackages/git_packages.h); an observer in it is not told. `asked` are the objects that
/// the plan is about. kUnavailable where it does not settle within `limit`.
Result<Plan> make_plan(const registry::Registry& below, const World& fork, Log& log,
                       const std::set<krm::ObjectKey>& asked, std::chrono::milliseconds limit,
                       const std::function<void(const Progress&)>& report);

/// Adds what fails among the Repositories, sets and variants of `now`, see PlannedError, and takes
/// out sets and variants that do nothing and fare as they did, unless they are asked for.
Result<Done> compare(Plan& plan, const registry::Registry& before, const registry::Registry& now,
                     const std::set<krm::ObjectKey>& asked);

/// Adds what failed and does not say so in its status (Manager::failing()), as a failure that is
/// new.
void add_untold(Plan& plan, const std::map<krm::ObjectKey, Error>& failing);

/// Takes out failures that are new and not of `about`: they are somebody else's.
void leave_to_others(Plan& plan, const std::set<krm::ObjectKey>& about);

/// What fails now, as in Plan::errors.
Result<std::vector<PlannedError>> errors_of(const registry::Registry& before,
                                            const registry::Registry& now,
                                            const std::set<krm::ObjectKey>& asked);

}  // namespace portico::controllers
