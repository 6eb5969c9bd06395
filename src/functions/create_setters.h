// create-setters: writes the "kpt-set" comments that apply-setters reads.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap whose data are setters and their present values. Scalars that contain a
/// value get a comment with ${name} in its place, longest values first; lists that are equal to a
/// list value get it on their key. No match is a warning, where the catalog's program fails, so
/// that a pipeline can be run again. Sources: kpt catalog create-setters.
Outcome create_setters(krm::ResourceList list);

}  // namespace portico::functions
