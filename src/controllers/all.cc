#include "controllers/all.h"

#include <algorithm>
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

std::vector<std::unique_ptr<Controller>> all_controllers(const World& world) {
  auto out = repository_controllers(world);
  for (auto& each : fleet_controllers(world)) out.push_back(std::move(each));
  return out;
}

std::vector<std::unique_ptr<Controller>> repository_controllers(const World& world) {
  std::vector<std::unique_ptr<Controller>> out;
  out.push_back(repository_controller(world));
  return out;
}

std::vector<std::unique_ptr<Controller>> fleet_controllers(const World& world) {
  const auto caches = std::make_shared<Caches>();
  std::vector<std::unique_ptr<Controller>> out;
  out.push_back(set_controller(world, caches));
  out.push_back(variant_controller(world, caches));
  out.push_back(revision_controller(world, caches));
  return out;
}

}  // namespace portico::controllers
