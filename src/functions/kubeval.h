// kubeval: resources held against the schemas of Kubernetes and of CustomResourceDefinitions.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: none, or a ConfigMap with data `strict` ("true": fields that the schema does not have
/// are errors), `skip_kinds` (names with commas between) and `ignore_missing_schemas` ("true":
/// resources of unknown kinds pass). One error result for each mistake, and exit code 1; nothing is
/// changed. The schemas are those of internal/kubernetes_schema.h and of the package's own
/// CustomResourceDefinitions (internal/custom_schema.h), whatever `schema_location` and
/// `additional_schema_locations` say: a warning says so. Kptfiles, and local configuration of an
/// unknown kind, are not for the cluster and pass; the items of a List are looked at one by one.
/// Sources: kpt catalog kubeval; messages as kubeval words them.
Outcome kubeval(krm::ResourceList list);

}  // namespace portico::functions
