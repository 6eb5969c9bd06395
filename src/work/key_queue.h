// The work queue of a controller: the keys to reconcile, each by one worker at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "krm/meta.h"
#include "work/back_off.h"
#include "work/lanes.h"

namespace portico::work {

struct QueueCounts {
  std::size_t ready = 0;      // can be taken now
  std::size_t scheduled = 0;  // added for a later time
  std::size_t failing = 0;    // waiting for a retry
  std::size_t looking = 0;    // waiting for the next reconcile, as the last one requested
  std::size_t running = 0;
  std::size_t taken = 0, retried = 0;  // since the queue was created

  /// No work is left except retries of failed keys and periodic reconciles.
  bool idle() const { return ready == 0 && scheduled == 0 && running == 0; }
};

/// The queue's rules, without threads or clock: every call passes the time. A key is queued at most
/// once; one that is added while it runs is queued again when it is done, and never given to a
/// second worker meanwhile. Keys wait in lanes (lanes.h), which take turns.
class KeyQueue {
 public:
  explicit KeyQueue(BackOff back_off = {}, LaneLimit lanes = {}, BackOff slow = kSlowBackOff)
      : back_off_(back_off), slow_(slow), ready_(lanes) {}

  /// Queues the key in the given lane, or in that of its namespace. A key that already waits stays
  /// in its lane.
  void add(const krm::ObjectKey& key, Lane lane);
  void add(const krm::ObjectKey& key) { add(key, {key.ns, ""}); }
  /// Schedules the key for `when`, or keeps an earlier time that is set already.
  void add_at(const krm::ObjectKey& key, Instant when, Lane lane);
  void add_at(const krm::ObjectKey& key, Instant when) { add_at(key, when, {key.ns, ""}); }

  /// The next key that is due and whose lane has capacity. It runs until done(), not_yet() or
  /// failed().
  std::optional<krm::ObjectKey> take(Instant now);
  /// The attempt succeeded (or only an event can change its outcome): resets the back-off of the
  /// key. `look`: when to take the key again unless an event comes first; ignored if the key was
  /// added while it ran. `lane`: the lane for that time; nullopt: the same as before.
  void done(const krm::ObjectKey& key, std::optional<Instant> look = {},
            std::optional<Lane> lane = {});
  /// Like done(), for an attempt that stopped early because a dependency does not answer: the next
  /// one counts as a retry (NextReconcile::retry).
  void not_yet(const krm::ObjectKey& key, Instant look, std::optional<Lane> lane = {});
  /// Retries the key after the wait for `pace` (back_off.h), randomized by `jitter` (0 to 1), in
  /// the given lane or the same as before.
  void failed(const krm::ObjectKey& key, Instant now, double jitter, std::optional<Lane> lane = {},
              Pace pace = Pace::kSoon);

  /// Whether take() would return a key that is ready already.
  bool can_take() const { return ready_.can_take(); }
  Failures failures(const krm::ObjectKey& key) const;
  /// When the next key that is not ready yet becomes due.
  std::optional<Instant> next_due() const;
  QueueCounts counts() const;
  /// Whether the key is ready, scheduled or running, for more than a retry alone.
  bool is_busy(const krm::ObjectKey& key) const;
  /// Whether the key failed (Pace::kSoon) at most kFailuresThatPass times in a row, or stopped
  /// early (not_yet()), and its retry comes within `patience` of the start of the first such
  /// attempt. A key with a new event is busy instead.
  bool is_retrying(const krm::ObjectKey& key, Instant now, Instant::duration patience) const;
  bool any_retrying(Instant now, Instant::duration patience) const;
  /// The number of ready keys in each lane.
  std::map<Lane, std::size_t> lanes() const { return ready_.waiting(); }
  /// The keys that become due next, at most `most`.
  std::vector<std::pair<Instant, krm::ObjectKey>> next(std::size_t most) const;

 private:
  enum class Why { kLooking, kFailing, kScheduled };
  struct Later {
    Instant when;
    Why why = Why::kScheduled;
    Lane lane;
  };
  void make_ready(const krm::ObjectKey& key, const Lane& lane);
  void put_later(const krm::ObjectKey& key, Later later);
  void drop_later(std::map<krm::ObjectKey, Later>::iterator at);
  void look_again(const krm::ObjectKey& key, std::optional<Instant> look, std::optional<Lane> lane);
  /// Returns the lane in which the key ran.
  Lane release(const krm::ObjectKey& key);

  BackOff back_off_, slow_;
  Lanes ready_;
  std::set<krm::ObjectKey> waiting_;  // in ready_
  struct Running {
    Lane lane;
    Instant since;
  };
  std::map<krm::ObjectKey, Running> running_;
  std::map<krm::ObjectKey, Lane> again_;  // added while they run
  std::map<krm::ObjectKey, Later> later_;
  std::set<std::pair<Instant, krm::ObjectKey>> by_time_;
  std::map<krm::ObjectKey, Failures> failures_;
  std::map<krm::ObjectKey, Instant> trying_since_;  // keys that may be retrying
  std::set<krm::ObjectKey> tries_;                  // ready or running only for a retry
  std::size_t failing_ = 0, looking_ = 0, taken_ = 0, retried_ = 0;
};

}  // namespace portico::work
