// The lists of a Kptfile whose items have an identity.
#pragma once

#include "json/value.h"

namespace portico::merge::internal {

// Both are meant for Schema::json, which borrows its schema.

/// Pipeline functions only: everything else is merged as kpt does it.
json::Value functions_schema();
/// Functions, conditions and readiness gates.
json::Value kptfile_schema();

}  // namespace portico::merge::internal
