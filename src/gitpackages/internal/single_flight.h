// Runs a task once for many concurrent callers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/monitor.h"

namespace portico::gitpackages {

/// Thread-safe.
class SingleFlight {
 public:
  /// Returns after a run that began after the call has ended, on this thread or another. While one
  /// run is active, all callers that arrive share the next one.
  void run(const std::function<void()>& task) {
    wait_for(task, [](const State& now) { return now.begun + 1; });
  }

  /// The same, but a run that is active at the call suffices. Returns true if this thread ran the
  /// task.
  bool join(const std::function<void()>& task) {
    return wait_for(task, [](const State& now) { return now.ended + 1; });
  }

  /// The callers that have neither begun a run nor returned.
  std::size_t asking() const {
    return state_.with([](const State& now) { return now.asking; });
  }

 private:
  struct State {
    std::uint64_t begun = 0, ended = 0;
    std::size_t asking = 0;
  };
  struct Ending {  // also if the task throws
    Monitor<State>& state;
    ~Ending() {
      state.change([](State& now) { now.ended = now.begun; });
    }
  };

  // Waits for the end of the run with the number that `first` returns; returns as join() does.
  template <class First>
  bool wait_for(const std::function<void()>& task, const First& first) {
    const std::uint64_t wanted = state_.with([&](State& now) {
      ++now.asking;
      return first(now);
    });
    const bool mine =
        state_.wait([&](const State& now) { return now.ended >= wanted || now.begun == now.ended; },
                    [&](State& now) {
                      --now.asking;
                      if (now.ended >= wanted) return false;
                      ++now.begun;
                      return true;
                    });
    if (!mine) return false;
    const Ending ending{state_};
    task();
    return true;
  }

  Monitor<State> state_;
};

}  // namespace portico::gitpackages
