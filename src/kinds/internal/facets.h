// What definitions say of fields beyond their types.
#pragma once

#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::kinds::internal {

/// A merge patch onto the skeleton of a kind's schema: descriptions, required fields, defaults,
/// formats.
const json::Value& repository_facets();
const json::Value& variant_facets();
const json::Value& variant_set_facets();
const json::Value& function_config_facets();
const json::Value& revision_facets();
const json::Value& resources_facets();
const json::Value& package_facets();

/// The schema of PackageVariantSets of v1alpha1, which have no struct: they are converted.
const json::Value& old_variant_set_schema();
/// The schema of a PackageRev: Porch's record of a package revision, or ours
/// (packages/package_revs.h).
const json::Value& package_rev_schema();

}  // namespace portico::kinds::internal
