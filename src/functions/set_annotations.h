// set-annotations: sets annotations on every resource and its templates.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap whose data holds the annotations, or SetAnnotations (fn.kpt.dev; old name
/// SetAnnotationConfig) with `annotations` and `additionalAnnotationFields` (old name
/// `fieldSpecs`): entries {group, version, kind, path, create}. Sources: kpt catalog
/// set-annotations, kustomize's commonAnnotations.
Outcome set_annotations(krm::ResourceList list);

}  // namespace portico::functions
