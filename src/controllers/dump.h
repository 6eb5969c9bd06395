// The state of the controllers as text, for operators who investigate why nothing happens.
#pragma once

#include <string>
#include <vector>

#include "controllers/repository_health.h"
#include "work/worker_pool.h"

namespace portico::controllers {

/// For each queue: the keys that its workers reconcile and since when, the number of keys waiting
/// in each lane, and the next scheduled keys with their times; then the repositories that do not
/// answer. Contains no secrets.
std::string dump(const std::vector<work::PoolState>& queues,
                 const std::vector<RepositoryHealth::Silent>& silent, work::Instant now);

}  // namespace portico::controllers
