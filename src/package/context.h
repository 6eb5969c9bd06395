// The package context: the ConfigMap kptfile.kpt.dev, which tells functions about their package.
#pragma once

#include <string>
#include <string_view>

#include "api/package_variant.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

inline constexpr std::string_view kContextFile = "package-context.yaml";
inline constexpr std::string_view kContextName = "kptfile.kpt.dev";

/// Sets the keys of `context.data` in the ConfigMap at the package's root, whichever file it is in,
/// then removes `removeKeys`, so that removal wins. Other keys, their order and comments stay; new
/// keys are appended in alphabetical order. A no-op for an empty context. kInvalid if there is no
/// such ConfigMap, or its data is not a map (seed 000: that is an error and prevents the draft).
Result<krm::Package> set_context(krm::Package package, const api::PackageContext& context);

/// What kpt does for a package in a deployment repository: all context ConfigMaps are removed, and
/// each Kptfile gets a new one in its folder, with the name of its package and, below `path`, its
/// package-path.
Result<krm::Package> generate_context(krm::Package package, std::string_view path);

/// The content of a context file.
std::string context_text(std::string_view name, std::string_view path);

}  // namespace portico::package
