#include "store/internal/hub.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace portico::store {

using registry::Event;
using registry::ResourceVersion;
using registry::Watch;

namespace {

constexpr std::size_t kEventsAtOnce = 1024;

}  // namespace

/// Holds nothing but its place in the window, so an idle or slow watch costs nothing.
class HubWatch : public Watch {
 public:
  HubWatch(std::shared_ptr<Hub> hub, std::vector<krm::GroupKind> types, ResourceVersion from)
      : hub_(std::move(hub)), types_(std::move(types)), seen_(from) {}

  Result<std::vector<Event>> next(std::chrono::milliseconds wait) override {
    const auto deadline = std::chrono::steady_clock::now() + wait;
    for (;;) {
      const auto ready = [&](const Hub::Now& now) {
        return stopped_ || now.closed || seen_ != now.state->version();
      };
      bool closed = false;
      const auto state = hub_->now_.wait_until(deadline, ready, [&](const Hub::Now& now) {
        closed = now.closed;
        return now.state;
      });
      auto events = take(*state);
      if (!events || !events->empty() || stopped_) return events;
      if (std::chrono::steady_clock::now() >= deadline || closed) return events;
    }
  }

  void stop() override {
    hub_->now_.change([&](Hub::Now&) { stopped_ = true; });
  }

 private:
  Result<std::vector<Event>> take(const State& state) {
    std::vector<Event> events;
    if (stopped_) return events;
    PORTICO_DO(state.check_kept(seen_));
    for (auto at = state.window.lower_bound(seen_ + 1); at && events.size() < kEventsAtOnce;
         ++at, ++seen_)
      if (wants(at->value->key.type)) events.push_back(at->value->event);
    return events;
  }

  bool wants(const krm::GroupKind& type) const {
    return types_.empty() || std::find(types_.begin(), types_.end(), type) != types_.end();
  }

  const std::shared_ptr<Hub> hub_;
  const std::vector<krm::GroupKind> types_;
  ResourceVersion seen_;
  std::atomic<bool> stopped_ = false;
};

std::shared_ptr<const State> Hub::state() const {
  return now_.with([](const Now& now) { return now.state; });
}

void Hub::publish(State next) {
  auto state = std::make_shared<const State>(std::move(next));
  // What nobody else holds of the last state is destroyed after the lock is gone.
  now_.change([&](Now& now) { now.state.swap(state); });
}

void Hub::close() {
  now_.change([](Now& now) { now.closed = true; });
}

std::unique_ptr<Watch> Hub::watch(std::shared_ptr<Hub> hub, std::vector<krm::GroupKind> types,
                                  ResourceVersion from) {
  return std::make_unique<HubWatch>(std::move(hub), std::move(types), from);
}

}  // namespace portico::store
