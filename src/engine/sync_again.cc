#include "engine/sync_again.h"

#include <poll.h>

#include <cerrno>

#include "base/world_error.h"
#include "work/back_off.h"

namespace portico::engine {

namespace {

constexpr int kTries = 3;

// Until a time, or until it is time to stop: then false.
bool wait_until(work::Instant when, const Stop& stop) {
  while (!stop()) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(when - std::chrono::steady_clock::now());
    if (left.count() <= 0) return true;
    pollfd asked{stop.descriptor(), POLLIN, 0};
    (void)::poll(&asked, 1, static_cast<int>(left.count()));
  }
  return false;
}

}  // namespace

Result<packages::Synced> sync_again(packages::Revisions& packages, const json::Value& repository,
                                    const Stop& stop) {
  auto synced = packages.sync(repository);
  for (int failures = 1; failures < kTries && !synced; ++failures) {
    if (mend_of(synced.error()) != Mend::kRetry) break;
    const auto wait = work::BackOff{}.after(failures, 0);
    if (!wait_until(std::chrono::steady_clock::now() + wait, stop)) break;
    synced = packages.sync(repository);
  }
  return synced;
}

}  // namespace portico::engine
