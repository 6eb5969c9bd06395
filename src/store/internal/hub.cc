#include "store/internal/hub.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "krm/meta.h"

namespace portico::store {

using registry::Change;
using registry::Event;
using registry::ResourceVersion;
using registry::Watch;

namespace {

constexpr std::size_t kEventsAtOnce = 1024;

/// Holds nothing but its place in the window, so an idle or slow watch costs nothing.
class HubWatch : public Watch {
 public:
  HubWatch(std::shared_ptr<Hub> hub, std::vector<krm::GroupKind> types, ResourceVersion from)
      : hub_(std::move(hub)), types_(std::move(types)), seen_(from) {}

  Result<std::vector<Event>> next(std::chrono::milliseconds wait) override {
    const auto deadline = std::chrono::steady_clock::now() + wait;
    for (;;) {
      // From here on seen_ is this thread's: it changes under the hub's lock only.
      const auto ready = [&](const HubState& state) {
        return stopped_ || state.closed || seen_ != state.version();
      };
      auto events = hub_->wait_until(deadline, ready, [&](HubState& state) { return take(state); });
      if (!events || !events->empty() || stopped_) return events;
      if (std::chrono::steady_clock::now() >= deadline || closed_) return events;
    }
  }

  void stop() override {
    hub_->change([&](HubState&) { stopped_ = true; });
  }

 private:
  Result<std::vector<Event>> take(HubState& state) {
    std::vector<Event> events;
    closed_ = state.closed;
    if (stopped_) return events;
    if (seen_ < state.compacted)
      return not_found("version {} is no longer kept, events go back to version {}; list again",
                       seen_, state.compacted)
          .because(Reason::kExpired);
    if (seen_ > state.version())
      return not_found("version {} is ahead of the store, which is at {}; list again", seen_,
                       state.version())
          .because(Reason::kExpired);
    auto at = state.window.begin() + static_cast<std::ptrdiff_t>(seen_ - state.compacted);
    for (; at != state.window.end() && events.size() < kEventsAtOnce; ++at, ++seen_)
      if (wants(at->type)) events.push_back(at->event);
    return events;
  }

  bool wants(const krm::GroupKind& type) const {
    return types_.empty() || std::find(types_.begin(), types_.end(), type) != types_.end();
  }

  const std::shared_ptr<Hub> hub_;
  const std::vector<krm::GroupKind> types_;
  ResourceVersion seen_;
  bool closed_ = false;
  std::atomic<bool> stopped_ = false;
};

}  // namespace

std::vector<ResourceVersion> superseded_by(const std::deque<HubState::Entry>& window,
                                           std::size_t count) {
  std::vector<ResourceVersion> versions;
  for (std::size_t i = 0; i < count; ++i) {
    const Event& event = window[i].event;
    if (!event.previous.is_null()) versions.push_back(krm::resource_version_of(event.previous));
    if (event.change == Change::kDeleted) versions.push_back(event.version);
  }
  return versions;
}

void publish(Hub& hub, std::vector<Logged> log, std::size_t forget) {
  // Objects that nobody else holds are destroyed after the lock is gone.
  std::vector<json::Value> replaced;
  std::vector<HubState::Entry> forgotten;
  replaced.reserve(log.size());
  forgotten.reserve(forget);
  hub.change([&](HubState& state) {
    for (Logged& one : log) {
      if (one.event.change == Change::kDeleted)
        replaced.push_back(state.table.erase(one.key));
      else
        replaced.push_back(state.table.put(one.key, one.event.object));
      state.window.push_back({std::move(one.event), std::move(one.key.type)});
    }
    for (std::size_t i = 0; i < forget; ++i) {
      forgotten.push_back(std::move(state.window.front()));
      state.window.pop_front();
      ++state.compacted;
    }
  });
}

std::unique_ptr<Watch> watch_hub(std::shared_ptr<Hub> hub, std::vector<krm::GroupKind> types,
                                 ResourceVersion from) {
  return std::make_unique<HubWatch>(std::move(hub), std::move(types), from);
}

}  // namespace portico::store
