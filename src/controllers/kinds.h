// The controllers of all.h, kind by kind.
#pragma once

#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

#include "controllers/all.h"
#include "controllers/decoded.h"

namespace portico::controllers {

/// The keys of the Repositories with these names, without empty names and duplicates.
std::vector<krm::ObjectKey> repositories(std::string_view ns,
                                         std::initializer_list<std::string_view> names);

std::unique_ptr<Controller> repository_controller(const World& world);
std::unique_ptr<Controller> set_controller(const World& world, std::shared_ptr<Caches> caches);
std::unique_ptr<Controller> variant_controller(const World& world, std::shared_ptr<Caches> caches);
std::unique_ptr<Controller> revision_controller(const World& world, std::shared_ptr<Caches> caches);

}  // namespace portico::controllers
