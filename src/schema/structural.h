// Whether a definition may use a schema (apiextensions.k8s.io/v1).
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "schema/schema.h"

namespace portico::schema {

/// What makes the schema non-structural, with Kubernetes' messages and places; empty if it is
/// structural. `path` is its place in the definition: Kubernetes uses
/// "spec.validation.openAPIV3Schema" if all versions have the same schema, else
/// "spec.versions[0].schema.openAPIV3Schema". Defaults are checked against the schema. If nothing
/// else is wrong, the rules are checked (rule_causes()).
std::vector<Cause> structural_causes(const Schema& schema, std::string_view path);

}  // namespace portico::schema
