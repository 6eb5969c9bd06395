// Small tasks for many connections, run in batches on the reactor's threads.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "http/internal/reactor.h"

namespace portico::http::internal {

/// A batch is one post to the reactor, however many items it has: writing to a thousand streams at
/// once wakes it once. At most `lanes` batches run at the same time, which leaves threads for other
/// kinds of work. Thread-safe.
template <class Item>
class TaskList {
 public:
  TaskList(Reactor& reactor, std::size_t lanes, std::size_t batch, std::function<void(Item&)> run)
      : reactor_(reactor), lanes_(lanes), batch_(batch), run_(std::move(run)) {}

  void add(Item item) {
    const bool start = state_.with([&](State& state) {
      state.items.push_back(std::move(item));
      // One more helper for each full batch.
      if (state.active >= lanes_ || state.items.size() <= state.active * batch_) return false;
      ++state.active;
      return true;
    });
    if (start) reactor_.post([this] { run_batch(); });
  }

 private:
  struct State {
    std::deque<Item> items;
    std::size_t active = 0;
  };

  void run_batch() {
    std::vector<Item> batch;
    state_.with([&](State& state) {
      while (batch.size() < batch_ && !state.items.empty()) {
        batch.push_back(std::move(state.items.front()));
        state.items.pop_front();
      }
    });
    for (Item& item : batch) run_(item);
    const bool again = state_.with([](State& state) {
      if (state.items.empty()) --state.active;
      return !state.items.empty();
    });
    if (again) reactor_.post([this] { run_batch(); });
  }

  Reactor& reactor_;
  std::size_t lanes_, batch_;
  std::function<void(Item&)> run_;
  Guarded<State> state_;
};

}  // namespace portico::http::internal
