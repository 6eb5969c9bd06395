// After a start, holds keys back until the keys that they depend on have been reconciled once.
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

/// A variant is reconciled as soon as its own repositories have been read, without waiting for
/// others: a repository that hangs delays only what depends on it. Thread-safe.
class StartupGate {
 public:
  /// Registers that `key` will be reconciled; called before begin().
  void expect(const krm::ObjectKey& key);
  /// Returns whether `key` has to wait for expected keys among `on` (before begin() all of `on`
  /// counts as expected). If so, `key` is added to `pool`, which is borrowed, once all of them have
  /// been reconciled.
  bool hold(const krm::ObjectKey& key, const std::vector<krm::ObjectKey>& on,
            work::WorkerPool& pool);
  /// All expected keys are known now. Releases the keys that wait for none of them.
  void begin();
  void looked(const krm::ObjectKey& key);
  /// Ends the waiting: releases all keys, and from now on hold() returns false.
  void end();

  bool over() const;
  /// The number of keys that wait.
  std::size_t held() const;
  bool holds_any(const std::set<krm::ObjectKey>& keys) const;

 private:
  using Held = std::pair<krm::ObjectKey, work::WorkerPool*>;
  struct State {
    bool begun = false, over = false;
    std::set<krm::ObjectKey> expected;
    std::map<krm::ObjectKey, std::set<Held>> resting;  // by the key that they depend on
    std::map<Held, std::size_t> missing;  // how many of their dependencies have not been reconciled

    void there(const krm::ObjectKey& on);
    void end_if_all_there();
  };
  Guarded<State> state_;
};

}  // namespace portico::controllers
