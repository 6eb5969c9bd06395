// Threads that take keys from a queue and reconcile them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "base/tracer.h"
#include "work/key_queue.h"
#include "work/next_look.h"
#include "work/run.h"

namespace portico::work {

/// Looks at one object and brings the world in line with it. Called for one key by one thread at a
/// time. It says when it wants to look again, where events alone do not tell. An Error says by its
/// code what comes next: kConflict is tried again at once (a few times, then like the others),
/// kUnavailable and kInternal after a back-off, a slow one where a person mends it (Mend::kPerson
/// of base/world_error.h); kInvalid and kNotFound wait for an event. An exception is taken for
/// kInternal.
using Reconcile = std::function<Result<NextLook>(const krm::ObjectKey&, const Run&)>;

/// Is told how each look at a key ended, by the worker that looked.
class PoolObserver {
 public:
  virtual ~PoolObserver() = default;
  virtual void looked(const std::string& pool, const krm::ObjectKey& key, const Run& run,
                      const Result<NextLook>& outcome, std::chrono::nanoseconds took) = 0;
};

/// What a pool is about, for people.
struct PoolState {
  std::string name;
  int workers = 0;
  QueueCounts counts;
  struct Running {
    krm::ObjectKey key;
    Run run;
    Instant since;
  };
  std::vector<Running> running;
  std::map<Lane, std::size_t> waiting;  // ready, by lane
  std::vector<std::pair<Instant, krm::ObjectKey>>
      next;  // the soonest of those that wait for a time
};

/// Safe from any thread.
class WorkerPool {
 public:
  virtual ~WorkerPool() = default;  // stops

  virtual void add(const krm::ObjectKey& key) = 0;
  virtual void add_after(const krm::ObjectKey& key, std::chrono::milliseconds wait) = 0;
  virtual QueueCounts counts() const = 0;
  /// Whether something is left to do now for one of `keys`, other than another try of what failed.
  virtual bool any_busy(const std::set<krm::ObjectKey>& keys) const = 0;
  /// Whether one of them, or of all, failed and is tried again soon (KeyQueue::is_retrying).
  virtual bool any_retrying(const std::set<krm::ObjectKey>& keys,
                            std::chrono::milliseconds patience) const = 0;
  virtual bool any_retrying(std::chrono::milliseconds patience) const = 0;
  virtual PoolState state() const = 0;
  /// What failed and waits to be tried again, with what it said the last time.
  virtual std::map<krm::ObjectKey, Error> failing() const = 0;
  /// Blocks until nothing is left to do (QueueCounts::idle): true; false when it is `until` or the
  /// pool stops first.
  virtual bool wait_idle(Instant until) = 0;

  /// Keys that are added before start() wait for it.
  virtual void start() = 0;
  /// Waits for what is running; what waits stays in the queue.
  virtual void stop() = 0;
};

struct PoolOptions {
  std::string name;  // in log lines
  int workers = 1;
  BackOff back_off;
  BackOff slow = kSlowBackOff;  // of Mend::kPerson
  /// The lane in which a key waits, asked for when it is added; none: that of its namespace.
  std::function<Lane(const krm::ObjectKey&)> lane_of{};
  LaneLimit lane_limit{};  // workers that are in one lane at a time
  /// Borrowed; null: silent. Errors; kUnavailable as a warning; the same again for debugging.
  Log* log = nullptr;
  PoolObserver* observer = nullptr;  // borrowed; may be null
  Tracer* tracer = nullptr;          // borrowed; may be null. Each look begins a trace
  /// Called, without a lock, when nothing is left to do any more (QueueCounts::idle).
  std::function<void()> on_idle{};
};

std::unique_ptr<WorkerPool> make_pool(PoolOptions options, Reconcile reconcile);

}  // namespace portico::work
