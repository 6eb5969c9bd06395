#include "controllers/sync_times.h"

#include <algorithm>

#include "base/cron.h"

namespace portico::controllers {
namespace {

std::optional<CronSchedule> schedule_of(const api::Repository& repository) {
  if (!repository.spec.sync || repository.spec.sync->schedule.empty()) return std::nullopt;
  const auto schedule = CronSchedule::parse(repository.spec.sync->schedule);
  return schedule ? std::optional(*schedule) : std::nullopt;
}

/// Only if it has not been done yet.
std::optional<TimePoint> run_once_at(const api::Repository& repository) {
  if (!repository.spec.sync || repository.spec.sync->run_once_at.empty() ||
      repository.spec.sync->run_once_at == repository.status.observed_run_once_at)
    return std::nullopt;
  const auto time = parse_rfc3339(repository.spec.sync->run_once_at);
  return time ? std::optional(*time) : std::nullopt;
}

}  // namespace

std::optional<TimePoint> next_wanted_sync(const api::Repository& repository, TimePoint now) {
  std::optional<TimePoint> next;
  if (const auto schedule = schedule_of(repository)) next = schedule->next(now);
  if (const auto once = run_once_at(repository)) next = next ? std::min(*next, *once) : *once;
  return next;
}

std::optional<std::chrono::milliseconds> until_next_sync(
    const api::Repository& repository, std::optional<std::chrono::milliseconds> period,
    TimePoint now) {
  std::optional<std::chrono::milliseconds> wait;
  if (const auto wanted = next_wanted_sync(repository, now))
    wait = std::max(std::chrono::milliseconds(0), *wanted - now);
  if (period && !schedule_of(repository)) wait = wait ? std::min(*wait, *period) : *period;
  return wait;
}

bool is_run_once_due(const api::Repository& repository, TimePoint now) {
  const auto once = run_once_at(repository);
  return once && *once <= now;
}

}  // namespace portico::controllers
