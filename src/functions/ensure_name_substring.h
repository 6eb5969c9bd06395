// ensure-name-substring: adds a text to names and updates the references to them.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap with either prepend or append in its data, or EnsureNameSubstring
/// (fn.kpt.dev) with `substring`, `editMode` (prepend, append) and `additionalNameFields` (old name
/// `fieldSpecs`). Every name that does not contain the text gets it, except those of
/// CustomResourceDefinition, APIService, Namespace and Kptfile. References to renamed resources
/// (see internal/name_references.h) and depends-on annotations are updated. Resources keep their
/// files; the catalog's program loses them. Sources: kpt catalog ensure-name-substring, kustomize.
Outcome ensure_name_substring(krm::ResourceList list);

}  // namespace portico::functions
