// The JSON encoding of a complete plan between Portico's client and server. Other programs read
// plan_json.h. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "controllers/plan.h"
#include "json/value.h"

namespace portico::controllers {

/// Of a built package, only the files that differ are encoded.
json::Value to_wire(const Plan& plan);
/// A plan that prints and counts like the original. Revisions in steps, and objects, carry only
/// their names.
Result<Plan> plan_from_wire(const json::Value& value);

}  // namespace portico::controllers
