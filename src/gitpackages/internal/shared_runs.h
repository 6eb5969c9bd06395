// One task that many ask for at once is done by one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/monitor.h"

namespace portico::gitpackages {

/// Safe from any thread.
class SharedRuns {
 public:
  /// When it returns a run has ended that began after the call: this thread's or another's. So of
  /// many who call while one run goes on, one more runs for all.
  void run(const std::function<void()>& task) {
    wait_for(task, [](const State& now) { return now.begun + 1; });
  }

  /// The same, but a run that goes on at the call will do, whenever it began. True where the task
  /// was run by this thread.
  bool join(const std::function<void()>& task) {
    return wait_for(task, [](const State& now) { return now.ended + 1; });
  }

  /// How many have called and neither run nor returned.
  std::size_t asking() const {
    return state_.with([](const State& now) { return now.asking; });
  }

 private:
  struct State {
    std::uint64_t begun = 0, ended = 0;
    std::size_t asking = 0;
  };
  struct Ending {  // whatever the task throws
    Monitor<State>& state;
    ~Ending() {
      state.change([](State& now) { now.ended = now.begun; });
    }
  };

  // Until the run with the number that `first` says has ended; by whom, see join().
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
