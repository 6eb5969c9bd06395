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
#include "work/next_reconcile.h"
#include "work/run.h"

namespace portico::work {

/// Reconciles one object. Called for one key by one thread at a time. Returns when to reconcile
/// next if events alone do not suffice. The code of an Error decides what follows: kConflict is
/// retried at once (a few times, then like the others); kUnavailable and kInternal after a
/// back-off, a slow one if a person must fix the cause (Remedy::kOperator of base/world_error.h);
/// kInvalid and kNotFound wait for an event. An exception counts as kInternal.
using Reconcile = std::function<Result<NextReconcile>(const krm::ObjectKey&, const Run&)>;

/// Receives the outcome of each reconcile, on the worker thread that ran it.
class PoolObserver {
 public:
  virtual ~PoolObserver() = default;
  virtual void looked(const std::string& pool, const krm::ObjectKey& key, const Run& run,
                      const Result<NextReconcile>& outcome, std::chrono::nanoseconds took) = 0;
};

/// A snapshot of a pool for display.
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
  std::map<Lane, std::size_t> waiting;                   // ready, by lane
  std::vector<std::pair<Instant, krm::ObjectKey>> next;  // the soonest keys that wait for a time
};

/// Thread-safe.
class WorkerPool {
 public:
  virtual ~WorkerPool() = default;  // stops

  virtual void add(const krm::ObjectKey& key) = 0;
  virtual void add_after(const krm::ObjectKey& key, std::chrono::milliseconds wait) = 0;
  virtual QueueCounts counts() const = 0;
  /// Whether work other than retries is due now for any of `keys`.
  virtual bool any_busy(const std::set<krm::ObjectKey>& keys) const = 0;
  /// Whether any of `keys`, or any key at all, failed and is retried soon (KeyQueue::is_retrying).
  virtual bool any_retrying(const std::set<krm::ObjectKey>& keys,
                            std::chrono::milliseconds patience) const = 0;
  virtual bool any_retrying(std::chrono::milliseconds patience) const = 0;
  virtual PoolState state() const = 0;
  /// The keys that failed and wait for a retry, each with its last error.
  virtual std::map<krm::ObjectKey, Error> failing() const = 0;
  /// Blocks until no work is left (QueueCounts::idle) and returns true; returns false at `until` or
  /// when the pool stops.
  virtual bool wait_idle(Instant until) = 0;

  /// Keys added before start() wait for it.
  virtual void start() = 0;
  /// Waits for running reconciles; waiting keys stay in the queue.
  virtual void stop() = 0;
};

struct PoolOptions {
  std::string name;  // in log lines
  int workers = 1;
  BackOff back_off;
  BackOff slow = kSlowBackOff;  // for Remedy::kOperator
  /// The lane in which a key waits, called when the key is queued; null: the lane of its namespace.
  std::function<Lane(const krm::ObjectKey&)> lane_of{};
  LaneLimit lane_limit{};  // workers in one lane at a time
  /// Borrowed; null: no logging. kInternal is logged as an error, kUnavailable as a warning; other
  /// and repeated errors for debugging.
  Log* log = nullptr;
  PoolObserver* observer = nullptr;  // borrowed; may be null
  Tracer* tracer = nullptr;          // borrowed; may be null. Each reconcile begins a trace
  /// Called without a lock held when no work is left (QueueCounts::idle).
  std::function<void()> on_idle{};
};

std::unique_ptr<WorkerPool> make_pool(PoolOptions options, Reconcile reconcile);

}  // namespace portico::work
