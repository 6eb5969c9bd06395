// Validation of objects before they are stored. Pure.
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

/// Checks metadata by Kubernetes' rules. One of Portico's kinds is also decoded, so that a field of
/// the wrong type is kInvalid with its path; an old PackageVariantSet is converted, and a Secret's
/// stringData is encoded. PackageRevisions are refused: use portico rpkg.
Result<Admitted> admit(const json::Value& object);

/// Whether `wanted` may replace `stored` (null: there is none), both as returned by admit(): checks
/// required fields, allowed words, mutually exclusive fields, expressions, immutable fields.
/// kInvalid has a cause for each field, with line and column within an expression (see
/// api/refusal.h). External state (such as a missing upstream) is not checked here but reported in
/// conditions. A spec that equals the stored one is always accepted. A Secret must have the entries
/// that its type requires, and keeps its type.
Result<Done> judge(const json::Value& stored, const json::Value& wanted);

/// Users may change only labels and annotations of a PackageRevision object. kInvalid if `wanted`
/// differs from `stored` (null: there is none) in anything else except the status.
Result<Done> admit_revision(const json::Value& stored, const json::Value& wanted);

}  // namespace portico::admission
