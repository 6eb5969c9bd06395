// apply-replacements: values copied from one field to others.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: ApplyReplacements (fn.kpt.dev/v1alpha1) with kustomize's `replacements`: source {group,
/// version, kind, name, namespace, fieldPath, options {delimiter, index}} and targets {select,
/// reject, fieldPaths, options {delimiter, index, create}}. One after the other, each on what the
/// one before left. `[name=x]` of a target path is an unanchored regular expression, as in
/// kustomize. Any error fails the whole. Sources: kpt catalog apply-replacements, kustomize api
/// v0.19.0 filters/replacement.
Outcome apply_replacements(krm::ResourceList list);

/// The behaviour up to v0.1.1, which links an older kustomize: a target without the field is passed
/// over. Packages in use count on it.
Outcome apply_replacements_v0_1_1(krm::ResourceList list);

}  // namespace portico::functions
