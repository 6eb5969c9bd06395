// list-setters: reports the setters of a package.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// One result per setter, "Name: n, Value: v, Type: t, Count: c", sorted by name: the setters that
/// the root Kptfile passes to apply-setters and those named in comments, with the first value
/// found; c is the number of fields. Changes nothing and takes no config. Sources: kpt catalog
/// list-setters.
Outcome list_setters(krm::ResourceList list);

}  // namespace portico::functions
