// The language of the expressions in a PackageVariantSet's template.
#pragma once

#include <array>
#include <string_view>

#include "base/result.h"
#include "cel/env.h"

namespace portico::cel_lib {

/// The first two are strings, the others objects.
inline constexpr std::array<std::string_view, 5> kTemplateVariables = {
    "repoDefault", "packageDefault", "upstream", "repository", "target"};

/// What Porch gives its templates: the standard library, times in UTC, lists and maps of one type,
/// and kTemplateVariables (strings, and dyn for objects); and what Kubernetes gives its users
/// beside: optionals, strings, sets, lists, two-variable comprehensions and its own url, regex,
/// list, quantity, semver, ip, cidr and format functions. Make it once and share it: programs keep
/// what they need of it.
Result<cel::Env> template_env(const cel::Limits& limits = {});

}  // namespace portico::cel_lib
