#include "engine/sync_again.h"

#include "base/pause.h"
#include "base/world_error.h"
#include "work/back_off.h"

namespace portico::engine {

namespace {

constexpr int kTries = 3;

}  // namespace

Result<packages::Synced> sync_again(packages::Revisions& packages, const json::Value& repository,
                                    const Stop& stop) {
  auto synced = packages.sync(repository);
  for (int failures = 1; failures < kTries && !synced; ++failures) {
    if (remedy_of(synced.error()) != Remedy::kRetry) break;
    const auto wait = work::BackOff{}.after(failures, 0);
    if (!pause_until(std::chrono::steady_clock::now() + wait, stop)) break;
    synced = packages.sync(repository);
  }
  return synced;
}

}  // namespace portico::engine
