// The package context: the ConfigMap kptfile.kpt.dev, which tells functions where they are.
#pragma once

#include <string>
#include <string_view>

#include "api/package_variant.h"
#include "base/result.h"
#include "krm/package.h"

namespace portico::package {

inline constexpr std::string_view kContextFile = "package-context.yaml";
inline constexpr std::string_view kContextName = "kptfile.kpt.dev";

/// Sets the keys of `context.data` in the ConfigMap at the package's root, wherever its file is,
/// then removes `removeKeys`: removal wins. Untouched keys, their order and comments stay; new keys
/// come last, in alphabetical order. Nothing asked for, nothing done. kInvalid where there is no
/// such ConfigMap, or its data is no map (seed 000: that is an error and prevents the draft).
Result<krm::Package> set_context(krm::Package package, const api::PackageContext& context);

/// What kpt does for a package in a deployment repository: every context ConfigMap goes, and each
/// Kptfile gets one beside it, with its package's name and, below `path`, its package-path.
Result<krm::Package> generate_context(krm::Package package, std::string_view path);

/// The text of a context file.
std::string context_text(std::string_view name, std::string_view path);

}  // namespace portico::package
