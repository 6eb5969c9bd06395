// What the controllers are about, as text for people who wonder why nothing happens.
#pragma once

#include <string>
#include <vector>

#include "controllers/reach.h"
#include "work/worker_pool.h"

namespace portico::controllers {

/// For each queue: what its workers do and since when, what waits in which lane, what is tried next
/// and when; then the repositories that do not answer. Without secrets.
std::string dump(const std::vector<work::PoolState>& queues,
                 const std::vector<Reach::Silent>& silent, work::Instant now);

}  // namespace portico::controllers
