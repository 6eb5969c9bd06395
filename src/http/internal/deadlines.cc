#include "http/internal/deadlines.h"

namespace portico::http::internal {

void Deadlines::set(const std::shared_ptr<Expiring>& expiring, Instant deadline) {
  const Instant::rep when = deadline.time_since_epoch().count();
  // The order of this store and load, and of those in ring(), ensures that one of the two sees the
  // other.
  expiring->deadline_ = when;
  const Instant::rep look = expiring->look_;
  if (look != 0 && look <= when) return;
  state_.with([&](State& state) {
    expiring->look_ = when;
    state.queue.push({when, expiring});
    if (state.alarm == 0 || when < state.alarm) set_alarm(state, when);
  });
}

void Deadlines::set_alarm(State& state, Instant::rep when) {
  state.alarm = when;
  reactor_.set_alarm(Instant(Instant::duration(when)), [this] { ring(); });
}

void Deadlines::ring() {
  const Instant now = std::chrono::steady_clock::now();
  const Instant::rep now_count = now.time_since_epoch().count();
  std::vector<std::shared_ptr<Expiring>> due;
  state_.with([&](State& state) {
    while (!state.queue.empty() && state.queue.top().when <= now_count) {
      const Entry entry = state.queue.top();
      state.queue.pop();
      auto expiring = entry.expiring.lock();
      if (!expiring || expiring->look_ != entry.when) continue;  // replaced by an earlier entry
      expiring->look_ = 0;
      const Instant::rep deadline = expiring->deadline_;
      if (deadline == 0) continue;
      if (deadline <= now_count) {
        due.push_back(std::move(expiring));
      } else {
        expiring->look_ = deadline;
        state.queue.push({deadline, entry.expiring});
      }
    }
    state.alarm = 0;
    if (!state.queue.empty()) set_alarm(state, state.queue.top().when);
  });
  for (const auto& expiring : due) expiring->expire(now);
}

}  // namespace portico::http::internal
