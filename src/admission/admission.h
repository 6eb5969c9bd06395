// What is checked of an object before it is stored. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::admission {

struct Admitted {
  json::Value object;
  std::vector<std::string> warnings;  // unknown fields with their paths
};

/// Metadata by Kubernetes' rules; a kind of ours decoded, so that a field of the wrong type is
/// kInvalid with its path, an old PackageVariantSet converted, and a Secret's stringData encoded.
/// What only the controller can judge (missing upstreams, invalid policies) is left to its
/// conditions. PackageRevisions are refused: portico rpkg makes them.
Result<Admitted> admit(const json::Value& object);

}  // namespace portico::admission
