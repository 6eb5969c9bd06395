#include "apiserver/informer.h"

#include <utility>

namespace portico::apiserver {

Informer::Informer(registry::Registry& registry, std::vector<krm::GroupKind> kinds,
                   Callbacks callbacks)
    : registry_(registry), kinds_(std::move(kinds)), callbacks_(std::move(callbacks)) {}

Result<std::unique_ptr<Informer>> Informer::open(registry::Registry& registry,
                                                 std::vector<krm::GroupKind> kinds,
                                                 Callbacks callbacks) {
  std::unique_ptr<Informer> out(new Informer(registry, std::move(kinds), std::move(callbacks)));
  PORTICO_DO(out->state_.with([&](State& state) { return out->load(state); }));
  PORTICO_DO(out->catch_up());
  return out;
}

// Puts the current objects before it removes those that are gone, so that no existing object is
// missing in between.
Result<Done> Informer::load(State& state) {
  State fresh;
  for (const krm::GroupKind& kind : kinds_) {
    PORTICO_TRY(const registry::Listing all, registry_.list({.type = kind}));
    for (const json::Value& object : all.objects)
      fresh.objects.emplace(krm::object_key(object), object);
    fresh.watches.push_back(
        registry_.watch({.type = kind}, all.version, [this] { behind_ = true; }));
  }
  // on_ready is called only after next() has returned nothing: a new watch must be read first.
  behind_ = true;
  for (const auto& [key, object] : fresh.objects) callbacks_.put(object);
  for (const auto& [key, object] : state.objects)
    if (!fresh.objects.contains(key)) callbacks_.remove(object);
  state = std::move(fresh);
  return Done{};
}

// Fails, for example with kExpired, if a watch cannot continue.
Result<Done> Informer::apply_events(State& state) {
  for (const auto& watch : state.watches)
    // on_ready is called once after next() has returned nothing, so read until it does.
    for (;;) {
      PORTICO_TRY(const auto events, watch->next(std::chrono::milliseconds(0)));
      if (events.empty()) break;
      for (const registry::Event& event : events) {
        const krm::ObjectKey key = krm::object_key(event.object);
        if (event.change == registry::Change::kDeleted) {
          state.objects.erase(key);
          callbacks_.remove(event.object);
        } else {
          state.objects.insert_or_assign(key, event.object);
          callbacks_.put(event.object);
        }
      }
    }
  return Done{};
}

Result<Done> Informer::tell_all(State& state) {
  bool loaded = false;
  while (behind_.exchange(false)) {
    auto told = apply_events(state);
    if (!told && !std::exchange(loaded, true)) told = load(state);
    if (!told) {
      behind_ = true;
      return told;
    }
  }
  if (callbacks_.told) callbacks_.told();
  return Done{};
}

Result<Done> Informer::catch_up() {
  // The delivering thread sets telling_ before it clears behind_. Read in the opposite order, one
  // of the two is true until everything has been delivered.
  if (!behind_ && !telling_) return Done{};
  return state_.with([&](State& state) -> Result<Done> {
    if (!behind_) return Done{};
    telling_ = true;
    auto told = tell_all(state);
    telling_ = false;
    return told;
  });
}

}  // namespace portico::apiserver
