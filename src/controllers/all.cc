#include "controllers/all.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/kinds.h"
#include "controllers/kinds.h"

namespace portico::controllers {

work::BackOff slow_back_off(const World& world) {
  if (world.resync.count() == 0) return work::kSlowBackOff;
  return {world.resync, world.resync * 10};
}

std::vector<krm::ObjectKey> repositories(std::string_view ns,
                                         std::initializer_list<std::string_view> names) {
  std::vector<krm::ObjectKey> out;
  for (const std::string_view name : names) {
    krm::ObjectKey key{api::repository_kind(), std::string(ns), std::string(name)};
    if (!name.empty() && std::find(out.begin(), out.end(), key) == out.end())
      out.push_back(std::move(key));
  }
  return out;
}

namespace {

using UnitOf = std::function<std::string(const krm::ObjectKey& key)>;

std::unique_ptr<Controller> shared(const World& world, const krm::GroupKind& kind, UnitOf unit_of,
                                   std::unique_ptr<Controller> controller) {
  if (world.share == nullptr) return controller;
  return within_share(std::move(controller), kind, std::move(unit_of), *world.share);
}

// The unit of the repository that a field of the object names; for a deleted object, the unit of no
// repository.
UnitOf by_repository(const World& world, std::vector<std::string> path) {
  return [&registry = world.registry, path = std::move(path)](const krm::ObjectKey& key) {
    const auto object = registry.get(key);
    const json::Value* at = object ? &*object : nullptr;
    for (const std::string& part : path)
      if (at != nullptr) at = at->find(part);
    return repository_unit(key.ns, at == nullptr ? "" : at->as_string());
  };
}

}  // namespace

std::vector<std::unique_ptr<Controller>> all_controllers(const World& world) {
  auto out = repository_controllers(world);
  for (auto& each : fleet_controllers(world)) out.push_back(std::move(each));
  return out;
}

std::vector<std::unique_ptr<Controller>> repository_controllers(const World& world) {
  std::vector<std::unique_ptr<Controller>> out;
  out.push_back(shared(
      world, api::repository_kind(),
      [](const krm::ObjectKey& key) { return repository_unit(key.ns, key.name); },
      repository_controller(world)));
  return out;
}

std::vector<std::unique_ptr<Controller>> fleet_controllers(const World& world) {
  const auto caches = std::make_shared<Caches>();
  std::vector<std::unique_ptr<Controller>> out;
  out.push_back(shared(
      world, api::variant_set_kind(),
      [](const krm::ObjectKey& key) { return set_unit(key.ns, key.name); },
      set_controller(world, caches)));
  out.push_back(shared(world, api::variant_kind(),
                       by_repository(world, {"spec", "downstream", "repo"}),
                       variant_controller(world, caches)));
  out.push_back(shared(world, api::revision_kind(), by_repository(world, {"spec", "repository"}),
                       revision_controller(world, caches)));
  return out;
}

}  // namespace portico::controllers
