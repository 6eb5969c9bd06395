#include "apiserver/pump.h"

#include <algorithm>
#include <optional>

namespace portico::apiserver {

Pump::Pump(std::size_t threads) : count_(threads) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

Pump::~Pump() {
  state_.change([](State& state) { state.stopping = true; });
  for (std::thread& thread : threads_) thread.join();
}

// Waking one thread is enough; working threads check the queue again by themselves.
void Pump::post(Job job) {
  state_.change_for_one([&](State& state) { state.jobs.push_back(std::move(job)); });
}

void Pump::at(Time when, Job job) {
  state_.change([&](State& state) { state.later.emplace(when, std::move(job)); });
}

void Pump::run() {
  constexpr std::size_t kAtOnce = 32;
  std::vector<Job> taken;
  for (bool stopping = false; !stopping;) {
    // Waits until the first timed job is due, or until an earlier job is added.
    const auto first = state_.with([](const State& state) {
      return state.later.empty() ? std::optional<Time>() : state.later.begin()->first;
    });
    const auto ready = [&](const State& state) {
      return state.stopping || !state.jobs.empty() ||
             (!state.later.empty() && (!first || state.later.begin()->first < *first));
    };
    const auto take = [&](State& state) {
      stopping = state.stopping;
      const Time now = std::chrono::steady_clock::now();
      while (!state.later.empty() && state.later.begin()->first <= now) {
        state.jobs.push_back(std::move(state.later.begin()->second));
        state.later.erase(state.later.begin());
      }
      // Takes only a share of the jobs, so that the other threads get theirs.
      const std::size_t part = (state.jobs.size() + count_ - 1) / count_;
      for (std::size_t left = std::min(part, kAtOnce); left > 0; --left) {
        taken.push_back(std::move(state.jobs.front()));
        state.jobs.pop_front();
      }
    };
    if (first)
      state_.wait_until(*first, ready, take);
    else
      state_.wait(ready, take);
    for (Job& job : taken) {
      if (stopping) break;
      job();
      job = nullptr;
    }
    taken.clear();
  }
}

}  // namespace portico::apiserver
