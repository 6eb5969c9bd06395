// Deadlines of connections, optimized for deadlines that are mostly extended.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "http/internal/reactor.h"

namespace portico::http::internal {

/// Something whose deadline changes often, mostly to a later time.
class Expiring {
 public:
  virtual ~Expiring() = default;
  /// Called when the deadline has passed. If the deadline was just extended, the implementation
  /// must set it again.
  virtual void expire(Instant now) = 0;

 private:
  friend class Deadlines;
  std::atomic<Instant::rep> deadline_{0};  // 0: none
  std::atomic<Instant::rep> look_{0};      // time of its valid queue entry; 0: none
};

/// Extending a deadline only writes to memory: a queue entry that comes up too early is put back.
/// Thread-safe.
class Deadlines {
 public:
  explicit Deadlines(Reactor& reactor) : reactor_(reactor) {}

  void set(const std::shared_ptr<Expiring>& expiring, Instant deadline);
  static void clear(Expiring& expiring) { expiring.deadline_ = 0; }

 private:
  struct Entry {
    Instant::rep when;
    std::weak_ptr<Expiring> expiring;
    bool operator>(const Entry& other) const { return when > other.when; }
  };
  struct State {
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    Instant::rep alarm = 0;  // the active alarm; 0: none
  };
  void ring();
  void set_alarm(State& state, Instant::rep when);

  Reactor& reactor_;
  Guarded<State> state_;
};

}  // namespace portico::http::internal
