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

/// What may not change of an object that is stored: the place of a Repository. kInvalid names the
/// field and the way out. Both as admit() takes them.
Result<Done> admit_update(const json::Value& stored, const json::Value& wanted);

/// What people may change of a PackageRevision as an object: its labels and annotations. kInvalid
/// where `wanted` differs from `stored` (null: there is none) in anything else but its status.
Result<Done> admit_revision(const json::Value& stored, const json::Value& wanted);

}  // namespace portico::admission
