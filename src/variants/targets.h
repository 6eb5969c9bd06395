// Unrolls a set's targets into pairs of repository and package.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "variants/set_snapshot.h"

namespace portico::variants {

/// One destination of a variant, before its template is applied.
struct SetTarget {
  std::size_t index = 0;  // in spec.targets
  std::string repo_default, package_default;
  json::Value object;  // the selected object; null if the target is a list
};

/// The targets of snapshot.set in spec order. The objects of one selector are sorted by name, and
/// each is combined with the package names listed with the selector, or else with the upstream's
/// package. Errors mean that nothing is known about what the set wants: kNotFound for a kind that
/// the cluster does not serve, kInvalid for a selector that does not parse.
Result<std::vector<SetTarget>> unroll(const SetSnapshot& snapshot);

}  // namespace portico::variants
