// ensure-name-substring: names that contain a text, and references that follow them.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap with one of data prepend and append, or EnsureNameSubstring (fn.kpt.dev)
/// with `substring`, `editMode` (prepend, append) and `additionalNameFields` (old name
/// `fieldSpecs`). Every name that does not contain the text gets it, except those of
/// CustomResourceDefinition, APIService, Namespace and Kptfile. References to renamed resources
/// (those of internal/name_references.h) and depends-on annotations follow. Resources keep their
/// files, where the catalog's program loses them. Sources: kpt catalog ensure-name-substring,
/// kustomize.
Outcome ensure_name_substring(krm::ResourceList list);

}  // namespace portico::functions
