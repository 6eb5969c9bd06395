#include "controllers/dump.h"

#include <fmt/format.h>

#include "base/secrets.h"

namespace portico::controllers {
namespace {

std::string seconds(work::Instant::duration time) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(time).count());
}

}  // namespace

std::string dump(const std::vector<work::PoolState>& queues,
                 const std::vector<RepositoryHealth::Silent>& silent, work::Instant now) {
  std::string out;
  for (const work::PoolState& queue : queues) {
    const work::QueueCounts& counts = queue.counts;
    out += fmt::format(
        "queue {}: {} of {} workers busy, {} ready, {} scheduled, {} failing, {} to be rechecked, "
        "{} reconciled so far\n",
        queue.name, queue.running.size(), queue.workers, counts.ready, counts.scheduled,
        counts.failing, counts.looking, counts.taken);
    for (const auto& one : queue.running)
      out += fmt::format("  running {} for {} run={}\n", one.key.text(), seconds(now - one.since),
                         one.run.id);
    for (const auto& [lane, count] : queue.waiting)
      out += fmt::format("  lane {}/{}: {} waiting\n", lane.group, lane.name, count);
    for (const auto& [when, key] : queue.next)
      out += fmt::format("  next {} in {}\n", key.text(),
                         seconds(std::max(when - now, work::Instant::duration(0))));
  }
  for (const RepositoryHealth::Silent& one : silent)
    out += fmt::format("repository {}/{} does not answer: {} failures, next probe in {}: {}\n",
                       one.ns, one.repository, one.failures,
                       seconds(std::max(one.next_probe - now, work::Instant::duration(0))),
                       without_secrets(one.why));
  return out;
}

}  // namespace portico::controllers
