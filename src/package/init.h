// A new, empty package.
#pragma once

#include <string_view>

#include "api/package_revision.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

/// What kpt's init makes: Kptfile, README.md and package-context.yaml for the package `name` (a
/// path; its last segment is the name), in the task's subpackage folder where it names one.
Result<krm::Package> init(std::string_view name, const api::InitTask& task);

}  // namespace portico::package
