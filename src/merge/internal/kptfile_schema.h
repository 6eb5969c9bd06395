// The lists of a Kptfile whose items can be told apart.
#pragma once

#include "json/value.h"

namespace portico::merge::internal {

// Both for Schema::json, which borrows its schema.

/// Functions of the pipeline alone: the rest is as kpt takes it.
json::Value functions_schema();
/// Functions, conditions and readiness gates.
json::Value kptfile_schema();

}  // namespace portico::merge::internal
