#include "apiserver/pump.h"

#include <optional>

namespace portico::apiserver {

Pump::Pump(std::size_t threads) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

Pump::~Pump() {
  state_.change([](State& state) { state.stopping = true; });
  for (std::thread& thread : threads_) thread.join();
}

void Pump::post(Job job) {
  state_.change([&](State& state) { state.jobs.push_back(std::move(job)); });
}

void Pump::at(Time when, Job job) {
  state_.change([&](State& state) { state.later.emplace(when, std::move(job)); });
}

void Pump::run() {
  for (bool stopping = false; !stopping;) {
    Job job;
    // Waits to the time of the first job that is due later, and looks again when one comes.
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
      if (state.jobs.empty()) return;
      job = std::move(state.jobs.front());
      state.jobs.pop_front();
    };
    if (first)
      state_.wait_until(*first, ready, take);
    else
      state_.wait(ready, take);
    if (job && !stopping) job();
  }
}

}  // namespace portico::apiserver
