#include "registry/hub.h"

#include <algorithm>
#include <optional>

namespace portico::registry {
namespace {

constexpr std::size_t kEventsAtOnce = 1024;

void wake(Place& place, ResourceVersion seen) {
  place.now.change([&](Place::Now& now) {
    now.armed = false;
    now.seen = std::max(now.seen, seen);
  });
  if (place.on_ready) place.on_ready();
}

bool is_armed(const Place& place) {
  return place.now.with([](const Place::Now& now) { return now.armed; });
}

}  // namespace

Hub::Hub(State state) : state_(std::make_shared<const State>(std::move(state))) {
  watchers_.with([&](Watchers& watchers) { watchers.told = this->state()->version(); });
}

std::shared_ptr<const State> Hub::state() const {
  return state_.with([](const auto& state) { return state; });
}

void Hub::Watchers::tell(const State::Entry& entry) {
  const krm::ObjectKey& key = entry.key;
  const Event& event = entry.event;
  for (const krm::GroupKind& type : {key.type, krm::GroupKind()}) {
    for (const std::string& ns : {key.ns, std::string()}) {
      for (const std::string& name : {key.name, std::string()}) {
        const auto at = places.find({type, ns, name});
        if (at == places.end()) continue;
        for (Place* place : at->second) {
          const bool waits = place->now.with(
              [&](const Place::Now& now) { return now.armed && now.seen < event.version; });
          if (waits && place->selector.concerns(event)) wake(*place, event.version - 1);
        }
      }
      if (key.ns.empty()) break;
    }
  }
}

void Hub::publish(State next) {
  auto state = std::make_shared<const State>(std::move(next));
  const std::shared_ptr<const State> fresh = state;
  // Parts of the last state that have no other holder are destroyed after the lock is released.
  state_.with([&](auto& now) { now.swap(state); });
  watchers_.with([&](Watchers& watchers) {
    // More events at once than are kept: whoever waits has missed some, and learns it from next().
    if (fresh->compacted > watchers.told)
      for (const auto& [key, places] : watchers.places)
        for (Place* place : places)
          if (is_armed(*place)) wake(*place, watchers.told);
    if (!watchers.places.empty())
      for (auto at = fresh->window.lower_bound(watchers.told + 1); at; ++at)
        watchers.tell(*at->value);
    watchers.told = fresh->version();
  });
}

void Hub::close() {
  watchers_.with([](Watchers& watchers) {
    watchers.closed = true;
    for (const auto& [key, places] : watchers.places)
      for (Place* place : places)
        if (is_armed(*place)) wake(*place, watchers.told);
  });
}

void Hub::add(Place& place) {
  const krm::ObjectKey key{place.query.type, place.query.ns, place.query.name};
  watchers_.with([&](Watchers& watchers) { watchers.places[key].push_back(&place); });
}

void Hub::remove(Place& place) {
  const krm::ObjectKey key{place.query.type, place.query.ns, place.query.name};
  watchers_.with([&](Watchers& watchers) {
    const auto at = watchers.places.find(key);
    std::erase(at->second, &place);
    if (at->second.empty()) watchers.places.erase(at);
  });
}

Hub::Armed Hub::arm(Place& place) {
  return watchers_.with([&](Watchers& watchers) {
    if (watchers.closed) return Armed::kClosed;
    return place.now.with([&](Place::Now& now) {
      if (now.seen < watchers.told) return Armed::kThereIsMore;
      now.armed = true;
      return Armed::kYes;
    });
  });
}

ResourceVersion Hub::version_of(const Place& place) const {
  return watchers_.with([&](const Watchers& watchers) {
    return place.now.with([&](const Place::Now& now) {
      return now.armed ? std::max(now.seen, watchers.told) : now.seen;
    });
  });
}

namespace {

/// Holds only its position in the window, so an idle or slow watch costs nothing.
class HubWatch : public Watch {
 public:
  HubWatch(std::shared_ptr<Hub> hub, const Query& query, ResourceVersion from, OnReady on_ready)
      : hub_(std::move(hub)), fields_(hub_->state()->table.fields()) {
    auto selector = Selector::make(query, *fields_);
    if (!selector) {
      refused_ = std::move(selector).error();
      return;
    }
    place_.query = query;
    place_.selector = *std::move(selector);
    place_.on_ready = std::move(on_ready);
    place_.now.with([&](Place::Now& now) { now.seen = from; });
    hub_->add(place_);
  }
  ~HubWatch() override {
    if (!refused_) hub_->remove(place_);
  }

  Result<std::vector<Event>> next(std::chrono::milliseconds wait) override {
    if (refused_) return *refused_;
    const auto deadline = std::chrono::steady_clock::now() + wait;
    for (;;) {
      const Place::Now now = place_.now.with([](const Place::Now& place) { return place; });
      if (now.stopped) return std::vector<Event>();
      if (!now.armed) {
        PORTICO_TRY(auto events, take(now.seen));
        if (!events.empty()) return events;
        const Hub::Armed armed = hub_->arm(place_);
        if (armed == Hub::Armed::kClosed) return events;
        if (armed == Hub::Armed::kThereIsMore) continue;
      }
      const auto ready = [](const Place::Now& place) { return !place.armed || place.stopped; };
      const bool woken = place_.now.wait_until(
          deadline, ready, [](const Place::Now& place) { return !place.armed; });
      if (!woken) return std::vector<Event>();
    }
  }

  ResourceVersion version() const override { return refused_ ? 0 : hub_->version_of(place_); }

  void stop() override {
    place_.now.change([](Place::Now& now) { now.stopped = true; });
  }

 private:
  Result<std::vector<Event>> take(ResourceVersion seen) {
    const auto state = hub_->state();
    PORTICO_DO(state->check_kept(seen));
    std::vector<Event> events;
    for (auto at = state->window.lower_bound(seen + 1); at && events.size() < kEventsAtOnce;
         ++at, ++seen) {
      if (!place_.selector.matches_key(at->value->key)) continue;
      if (auto event = place_.selector.see(at->value->event)) events.push_back(*std::move(event));
    }
    place_.now.with([&](Place::Now& now) { now.seen = seen; });
    return events;
  }

  const std::shared_ptr<Hub> hub_;
  const std::shared_ptr<const std::vector<IndexedField>> fields_;  // the selector points into it
  std::optional<Error> refused_;
  Place place_;
};

}  // namespace

std::unique_ptr<Watch> watch_hub(std::shared_ptr<Hub> hub, const Query& query, ResourceVersion from,
                                 OnReady on_ready) {
  return std::make_unique<HubWatch>(std::move(hub), query, from, std::move(on_ready));
}

}  // namespace portico::registry
