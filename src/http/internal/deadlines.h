// When connections are to be looked at, of which most look again later.
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

/// Something with a deadline that changes often, and mostly to a later time.
class Expiring {
 public:
  virtual ~Expiring() = default;
  /// Called when the deadline has come. It may have been set to a later time just now, and then has
  /// to be set again.
  virtual void expire(Instant now) = 0;

 private:
  friend class Deadlines;
  std::atomic<Instant::rep> deadline_{0};  // 0: none
  std::atomic<Instant::rep> look_{0};      // of its valid entry in the queue; 0: none
};

/// Setting a deadline that is later than the one before is a store to memory: an entry that comes
/// up too early is put back. Safe from any thread.
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
    Instant::rep alarm = 0;  // that is on; 0: none
  };
  void ring();
  void set_alarm(State& state, Instant::rep when);

  Reactor& reactor_;
  Guarded<State> state_;
};

}  // namespace portico::http::internal
