#include "controllers/startup_gate.h"

#include <algorithm>

namespace portico::controllers {

void StartupGate::State::there(const krm::ObjectKey& on) {
  const auto at = resting.extract(on);
  if (!at) return;
  for (const Held& each : at.mapped()) {
    const auto left = missing.find(each);
    if (--left->second > 0) continue;
    missing.erase(left);
    each.second->add(each.first);
  }
}

void StartupGate::State::end_if_all_there() { over = begun && expected.empty(); }

void StartupGate::expect(const krm::ObjectKey& key) {
  state_.with([&](State& state) { state.expected.insert(key); });
}

bool StartupGate::hold(const krm::ObjectKey& key, const std::vector<krm::ObjectKey>& on,
                       work::WorkerPool& pool) {
  return state_.with([&](State& state) {
    const Held held(key, &pool);
    if (state.missing.contains(held)) return true;
    if (state.over) return false;
    std::size_t missing = 0;
    for (const krm::ObjectKey& each : on)
      if ((!state.begun || state.expected.contains(each)) &&
          state.resting[each].insert(held).second)
        ++missing;
    if (missing > 0) state.missing.emplace(held, missing);
    return missing > 0;
  });
}

void StartupGate::begin() {
  state_.with([](State& state) {
    state.begun = true;
    std::vector<krm::ObjectKey> unexpected;
    for (const auto& [on, held] : state.resting)
      if (!state.expected.contains(on)) unexpected.push_back(on);
    for (const krm::ObjectKey& on : unexpected) state.there(on);
    state.end_if_all_there();
  });
}

void StartupGate::looked(const krm::ObjectKey& key) {
  state_.with([&](State& state) {
    if (state.expected.erase(key) == 0) return;
    state.there(key);
    state.end_if_all_there();
  });
}

void StartupGate::end() {
  state_.with([](State& state) {
    state.begun = state.over = true;
    state.expected.clear();
    while (!state.resting.empty()) state.there(krm::ObjectKey(state.resting.begin()->first));
  });
}

bool StartupGate::over() const {
  return state_.with([](const State& state) { return state.over; });
}

bool StartupGate::holds_any(const std::set<krm::ObjectKey>& keys) const {
  return state_.with([&](const State& state) {
    return std::any_of(state.missing.begin(), state.missing.end(),
                       [&](const auto& held) { return keys.contains(held.first.first); });
  });
}

std::size_t StartupGate::held() const {
  return state_.with([](const State& state) { return state.missing.size(); });
}

}  // namespace portico::controllers
