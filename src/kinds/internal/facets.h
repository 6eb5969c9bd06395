// Schema properties beyond the types of fields.
#pragma once

#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::kinds::internal {

/// A merge patch for the skeleton schema of a kind: descriptions, required fields, defaults,
/// formats.
const json::Value& repository_facets();
const json::Value& variant_facets();
const json::Value& variant_set_facets();
const json::Value& function_config_facets();
const json::Value& revision_facets();
const json::Value& resources_facets();
const json::Value& package_facets();

/// The schema of v1alpha1 PackageVariantSets, which have no struct because they are converted.
const json::Value& old_variant_set_schema();
/// The schema of a PackageRev: a record of a package revision by Porch or by Portico
/// (packages/package_revs.h).
const json::Value& package_rev_schema();

}  // namespace portico::kinds::internal
