// create-setters: writes the "kpt-set" comments that apply-setters reads.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: a ConfigMap whose data holds setters and their current values. Scalars that contain a
/// value get a comment with ${name} in its place, longest values first; lists that equal a list
/// value get the comment on their key. No match is a warning so that a pipeline can be rerun; the
/// catalog's program fails instead. Sources: kpt catalog create-setters.
Outcome create_setters(krm::ResourceList list);

}  // namespace portico::functions
