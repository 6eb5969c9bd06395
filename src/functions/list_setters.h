// list-setters: reports the setters of a package.
#pragma once

#include "functions/function.h"

namespace portico::functions {

/// One result a setter, "Name: n, Value: v, Type: t, Count: c", by name: those that the root
/// Kptfile gives to apply-setters and those that comments name, with the first value seen; c counts
/// the fields. Changes nothing, takes no config. Sources: kpt catalog list-setters.
Outcome list_setters(krm::ResourceList list);

}  // namespace portico::functions
