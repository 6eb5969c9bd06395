// apply-setters: sets the fields that carry a "kpt-set" comment.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: any resource whose `data` holds setter values. A field with the comment "# kpt-set:
/// PATTERN" is set to the pattern with every ${name} replaced; a name without a value gets its
/// value from the field's current text. A list with such a comment takes a YAML list as value.
/// Sources: kpt catalog apply-setters.
Outcome apply_setters(krm::ResourceList list);

}  // namespace portico::functions
