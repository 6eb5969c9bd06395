// From a set's targets to single pairs of repository and package.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "variants/set_snapshot.h"

namespace portico::variants {

/// One place a variant goes to, before its template has a say.
struct SetTarget {
  std::size_t index = 0;  // in spec.targets
  std::string repo_default, package_default;
  json::Value object;  // what the selector selected; null where the target is a list
};

/// The targets of snapshot.set, in spec order; objects of one selector in order of their names,
/// each with the package names listed beside it, else the upstream's. kNotFound for a kind that the
/// cluster does not serve, kInvalid for a selector that does not parse: then nothing is known about
/// what the set wants.
Result<std::vector<SetTarget>> unroll(const SetSnapshot& snapshot);

}  // namespace portico::variants
