// What a schema must be so that a definition may have it (apiextensions.k8s.io/v1).
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"

namespace portico::schema {

/// What makes the schema no structural one, in Kubernetes' words and places; empty where it is one.
/// `path` is where it stands in the definition: Kubernetes says "spec.validation.openAPIV3Schema"
/// where all versions have the same schema, else "spec.versions[0].schema.openAPIV3Schema".
/// Defaults are checked against the schema; the expressions of rules are not looked at (rules.h
/// does).
std::vector<Cause> structural_causes(const Schema& schema, std::string_view path);

}  // namespace portico::schema
