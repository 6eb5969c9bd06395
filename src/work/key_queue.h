// The work queue of a controller: which objects are to be looked at, each by one worker at a time.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "krm/meta.h"

namespace portico::work {

using Instant = std::chrono::steady_clock::time_point;

struct QueueCounts {
  std::size_t ready = 0;      // to be taken now
  std::size_t scheduled = 0;  // added for a later time
  std::size_t failing = 0;    // to be tried again later
  std::size_t looking = 0;    // to be looked at again later, as the last look asked for
  std::size_t running = 0;
  std::size_t taken = 0, retried = 0;  // since the beginning

  /// Nothing is left but what failed and will be tried again, and what is looked at from time to
  /// time.
  bool idle() const { return ready == 0 && scheduled == 0 && running == 0; }
};

struct BackOff {
  std::chrono::milliseconds first{200}, most{std::chrono::minutes(5)};
};

/// The rules, without threads or clock: every call says what time it is. A key that waits is added
/// once; one that is added while it runs is handed out again when it is done, never to a second
/// worker meanwhile. Namespaces take turns, so that one with many keys does not hold up the others.
class KeyQueue {
 public:
  explicit KeyQueue(BackOff back_off = {}) : back_off_(back_off) {}

  void add(const krm::ObjectKey& key);
  /// For later; sooner where the key is scheduled for sooner already.
  void add_at(const krm::ObjectKey& key, Instant when);

  /// The next key that is due, which then runs until done() or failed().
  std::optional<krm::ObjectKey> take(Instant now);
  /// The attempt is over and worked (or only an event can change the outcome): the back-off of the
  /// key starts afresh. `look`: when the key is taken again, unless an event comes first, as one
  /// did where the key was added while it ran.
  void done(const krm::ObjectKey& key, std::optional<Instant> look = {});
  /// To be tried again after a back-off that doubles each time, `jitter` (0 to 1) of it random.
  void failed(const krm::ObjectKey& key, Instant now, double jitter);

  /// How often in a row the key has failed.
  int failures(const krm::ObjectKey& key) const;
  /// When the next key that is not ready yet falls due.
  std::optional<Instant> next_due() const;
  QueueCounts counts() const;

 private:
  enum class Why { kLooking, kFailing, kScheduled };
  struct Later {
    Instant when;
    Why why = Why::kScheduled;
  };
  void make_ready(const krm::ObjectKey& key);
  void put_later(const krm::ObjectKey& key, Later later);
  void drop_later(std::map<krm::ObjectKey, Later>::iterator at);
  void release(const krm::ObjectKey& key);

  BackOff back_off_;
  std::map<std::string, std::deque<krm::ObjectKey>> ready_;  // by namespace
  std::string turn_;                                         // the namespace that was served last
  std::set<krm::ObjectKey> waiting_;                         // in ready_
  std::set<krm::ObjectKey> running_, again_;
  std::map<krm::ObjectKey, Later> later_;
  std::set<std::pair<Instant, krm::ObjectKey>> by_time_;
  std::map<krm::ObjectKey, int> failures_;
  std::size_t failing_ = 0, looking_ = 0, taken_ = 0, retried_ = 0;
};

}  // namespace portico::work
