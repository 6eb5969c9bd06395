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
/// PackageRevisions are refused: portico rpkg makes them.
Result<Admitted> admit(const json::Value& object);

/// Whether `wanted` may take the place of `stored` (null: there is none), both as admit() gives
/// them: required fields, words, what excludes each other, expressions that compile, what may not
/// change. kInvalid has a cause for each field, with line and column in an expression (see
/// api/refusal.h). What only the world can tell (an upstream that is not there) is left to
/// conditions, and so is a spec that is stored already: it may stay as it is. A Secret must have
/// what its type asks for, and keeps that type.
Result<Done> judge(const json::Value& stored, const json::Value& wanted);

/// What people may change of a PackageRevision as an object: its labels and annotations. kInvalid
/// where `wanted` differs from `stored` (null: there is none) in anything else but its status.
Result<Done> admit_revision(const json::Value& stored, const json::Value& wanted);

}  // namespace portico::admission
