// The work queue of a controller: which objects are to be looked at, each by one worker at a time.
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

/// The rules, without threads or clock: every call says what time it is. A key that waits is added
/// once; one that is added while it runs is handed out again when it is done, never to a second
/// worker meanwhile. Keys wait in lanes (lanes.h), which take turns.
class KeyQueue {
 public:
  explicit KeyQueue(BackOff back_off = {}, LaneLimit lanes = {}, BackOff slow = kSlowBackOff)
      : back_off_(back_off), slow_(slow), ready_(lanes) {}

  /// In the lane given, or that of its namespace. A key that waits already stays in its lane.
  void add(const krm::ObjectKey& key, Lane lane);
  void add(const krm::ObjectKey& key) { add(key, {key.ns, ""}); }
  /// For later; sooner where the key is scheduled for sooner already.
  void add_at(const krm::ObjectKey& key, Instant when, Lane lane);
  void add_at(const krm::ObjectKey& key, Instant when) { add_at(key, when, {key.ns, ""}); }

  /// The next key that is due and whose lane has room, which then runs until done() or failed().
  std::optional<krm::ObjectKey> take(Instant now);
  /// The attempt is over and worked (or only an event can change the outcome): the back-off of the
  /// key starts afresh. `look`: when the key is taken again, unless an event comes first, as one
  /// did where the key was added while it ran. `lane`: that of the look; none: as before.
  void done(const krm::ObjectKey& key, std::optional<Instant> look = {},
            std::optional<Lane> lane = {});
  /// The same of an attempt that did not come so far, as what it needs does not answer: the look is
  /// another try (NextLook::retry).
  void not_yet(const krm::ObjectKey& key, Instant look, std::optional<Lane> lane = {});
  /// To be tried again after the back-off of `pace`, `jitter` (0 to 1) of it random; in the lane
  /// given, or the same as before.
  enum class Pace { kSoon, kSlowly };
  void failed(const krm::ObjectKey& key, Instant now, double jitter, std::optional<Lane> lane = {},
              Pace pace = Pace::kSoon);

  /// Whether take() would hand out a key that is ready already.
  bool can_take() const { return ready_.can_take(); }
  /// How often in a row the key has failed.
  int failures(const krm::ObjectKey& key) const;
  /// When the next key that is not ready yet falls due.
  std::optional<Instant> next_due() const;
  QueueCounts counts() const;
  /// Whether the key itself is among what makes counts() not idle, and not for another try alone.
  bool is_busy(const krm::ObjectKey& key) const;
  /// Whether the key failed (Pace::kSoon), no more than kFailuresThatPass times in a row, or did
  /// not come so far (not_yet()), and is tried again before it is `patience` since the first such
  /// attempt began. One for which an event came is busy instead.
  bool is_retrying(const krm::ObjectKey& key, Instant now, Instant::duration patience) const;
  bool any_retrying(Instant now, Instant::duration patience) const;
  /// How many are ready in each lane.
  std::map<Lane, std::size_t> lanes() const { return ready_.waiting(); }
  /// Those that fall due next, at most `most`.
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
  /// The lane in which it ran.
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
  std::map<krm::ObjectKey, int> failures_;
  std::map<krm::ObjectKey, Instant> trying_since_;  // of those that may be retrying
  std::set<krm::ObjectKey> tries_;                  // ready or running for another try alone
  std::size_t failing_ = 0, looking_ = 0, taken_ = 0, retried_ = 0;
};

}  // namespace portico::work
