// The old PackageVariantSet, read into the new one.
#pragma once

#include "api/package_variant_set.h"

namespace portico::api::internal {

/// Converts a v1alpha1 PackageVariantSet. kInvalid, with the path, for what the new form cannot
/// say: a namespace in an object selector, annotations as a criterion, a field of an object other
/// than its name, namespace, labels and annotations.
Result<Decoded<PackageVariantSet>> decode_set_v1alpha1(const json::Value& value);

}  // namespace portico::api::internal
