// apply-replacements: copies values from one field to others.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: ApplyReplacements (fn.kpt.dev/v1alpha1) with kustomize's `replacements`: source {group,
/// version, kind, name, namespace, fieldPath, options {delimiter, index}} and targets {select,
/// reject, fieldPaths, options {delimiter, index, create}}. Replacements apply in order, each to
/// the result of the one before. `[name=x]` in a target path is an unanchored regular expression,
/// as in kustomize. Any error fails the whole function. Sources: kpt catalog apply-replacements,
/// kustomize api v0.19.0 filters/replacement.
Outcome apply_replacements(krm::ResourceList list);

/// The behavior up to v0.1.1, which links an older kustomize: a target without the field is
/// skipped. Existing packages rely on it.
Outcome apply_replacements_v0_1_1(krm::ResourceList list);

}  // namespace portico::functions
