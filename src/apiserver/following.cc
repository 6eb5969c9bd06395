#include "apiserver/following.h"

namespace portico::apiserver {

Following::Following(registry::Registry& registry, std::vector<krm::GroupKind> kinds,
                     Callbacks callbacks)
    : registry_(registry), kinds_(std::move(kinds)), callbacks_(std::move(callbacks)) {}

Result<std::unique_ptr<Following>> Following::open(registry::Registry& registry,
                                                   std::vector<krm::GroupKind> kinds,
                                                   Callbacks callbacks) {
  std::unique_ptr<Following> out(new Following(registry, std::move(kinds), std::move(callbacks)));
  PORTICO_DO(out->state_.with([&](State& state) { return out->load(state); }));
  PORTICO_DO(out->catch_up());
  return out;
}

Result<Done> Following::load(State& state) {
  callbacks_.reset();
  state.watches.clear();
  for (const krm::GroupKind& kind : kinds_) {
    PORTICO_TRY(const registry::Listing all, registry_.list({.type = kind}));
    for (const json::Value& object : all.objects) callbacks_.put(object);
    state.watches.push_back(
        registry_.watch({.type = kind}, all.version, [this] { behind_ = true; }));
  }
  return Done{};
}

Result<Done> Following::catch_up() {
  // Also for who finds nothing to do: it waits for somebody who is just doing it.
  return state_.with([&](State& state) -> Result<Done> {
    if (!behind_.exchange(false)) return Done{};
    for (const auto& watch : state.watches)
      // on_ready comes once after there was nothing: it is asked until there is nothing.
      for (;;) {
        auto events = watch->next(std::chrono::milliseconds(0));
        if (!events) {
          auto loaded = load(state);
          if (!loaded) behind_ = true;
          return loaded;
        }
        if (events->empty()) break;
        for (const registry::Event& event : *events)
          event.change == registry::Change::kDeleted ? callbacks_.remove(event.object)
                                                     : callbacks_.put(event.object);
      }
    return Done{};
  });
}

}  // namespace portico::apiserver
