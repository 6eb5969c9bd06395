// The controllers that all.h lists, kind by kind.
#pragma once

#include <memory>

#include "controllers/all.h"
#include "controllers/decoded.h"

namespace portico::controllers {

std::unique_ptr<Controller> repository_controller(const World& world);
std::unique_ptr<Controller> set_controller(const World& world, std::shared_ptr<Caches> caches);
std::unique_ptr<Controller> variant_controller(const World& world, std::shared_ptr<Caches> caches);
std::unique_ptr<Controller> revision_controller(const World& world, std::shared_ptr<Caches> caches);

}  // namespace portico::controllers
