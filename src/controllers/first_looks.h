// Keys that wait, after a start, until what they rest on has been looked at once.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "krm/meta.h"
#include "work/worker_pool.h"

namespace portico::controllers {

/// A variant is decided on when its own repositories have been read, and waits for no others: one
/// that hangs holds back what rests on it and nothing else. Safe from any thread.
class FirstLooks {
 public:
  /// `key` is to be looked at; called before begin().
  void expect(const krm::ObjectKey& key);
  /// Whether `key` waits for some of `on` that is expected (before begin(): may be); then it is
  /// added to `pool`, which is borrowed, when all of that has been looked at.
  bool hold(const krm::ObjectKey& key, const std::vector<krm::ObjectKey>& on,
            work::WorkerPool& pool);
  /// All that is expected is known. What rests on nothing of it goes.
  void begin();
  void looked(const krm::ObjectKey& key);
  /// Nothing is waited for any more: all keys go, and hold() holds none.
  void end();

  bool over() const;
  /// How many keys wait.
  std::size_t held() const;
  bool holds_any(const std::set<krm::ObjectKey>& keys) const;

 private:
  using Held = std::pair<krm::ObjectKey, work::WorkerPool*>;
  struct State {
    bool begun = false, over = false;
    std::set<krm::ObjectKey> expected;
    std::map<krm::ObjectKey, std::set<Held>> resting;  // by what they rest on
    std::map<Held, std::size_t> missing;               // how much of it was not looked at

    void there(const krm::ObjectKey& on);
    void end_if_all_there();
  };
  Guarded<State> state_;
};

}  // namespace portico::controllers
