// A new, empty package.
#pragma once

#include <string_view>

#include "api/package_revision.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

/// Creates what kpt's init does: Kptfile, README.md and package-context.yaml for the package `name`
/// (a path whose last segment is the name), in the folder of the task's subpackage if it has one.
Result<krm::Package> init(std::string_view name, const api::InitTask& task);

}  // namespace portico::package
