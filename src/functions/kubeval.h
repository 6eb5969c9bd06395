// kubeval: validates resources against the schemas of Kubernetes and of CustomResourceDefinitions.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: none, or a ConfigMap with data `strict` ("true": fields that the schema does not have
/// are errors), `skip_kinds` (names separated by commas) and `ignore_missing_schemas` ("true":
/// resources of unknown kinds pass). Each error is one error result, and the exit code is then 1;
/// nothing is changed. The schemas are those of internal/kubernetes_schema.h and of the package's
/// own CustomResourceDefinitions (internal/custom_schema.h), regardless of `schema_location` and
/// `additional_schema_locations`, which give a warning. Kptfiles, and local configuration of an
/// unknown kind, are not for the cluster and pass. The items of a List are checked one by one.
/// Sources: kpt catalog kubeval; the messages use kubeval's wording.
Outcome kubeval(krm::ResourceList list);

}  // namespace portico::functions
