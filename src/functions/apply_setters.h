// apply-setters: values into the fields that carry a "kpt-set" comment.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// Config: any resource whose `data` are setter values. A field with the comment
/// "# kpt-set: PATTERN" gets the pattern with ${name} replaced; names that have no value are
/// derived from the present text. A list with such a comment takes a YAML list as value. Sources:
/// kpt catalog apply-setters.
Outcome apply_setters(krm::ResourceList list);

}  // namespace portico::functions
