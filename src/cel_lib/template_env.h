// The CEL environment for expressions in a PackageVariantSet's template.
#pragma once

#include <array>
#include <string_view>

#include "base/result.h"
#include "cel/env.h"

namespace portico::cel_lib {

/// The first two are strings, the others are objects.
inline constexpr std::array<std::string_view, 5> kTemplateVariables = {
    "repoDefault", "packageDefault", "upstream", "repository", "target"};

/// What Porch provides to templates: the standard library, times in UTC, homogeneous lists and
/// maps, and kTemplateVariables (strings, and dyn for objects). In addition, what Kubernetes
/// provides: optionals, strings, sets, lists, two-variable comprehensions and its own url, regex,
/// list, quantity, semver, ip, cidr and format functions. Make it once and share it; programs keep
/// the parts that they need alive.
Result<cel::Env> template_env(const cel::Limits& limits = {});

}  // namespace portico::cel_lib
