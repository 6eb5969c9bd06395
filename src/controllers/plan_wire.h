// A plan, whole, as JSON and back: for a client and a server of ours. Programs of others read
// plan_json.h. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "controllers/plan.h"
#include "json/value.h"

namespace portico::controllers {

/// Of a package that is built only what it changes goes over: the files that differ.
json::Value to_wire(const Plan& plan);
/// What prints and counts as the plan did: steps have the names of their revisions, and nothing
/// else of these; objects have their names.
Result<Plan> plan_from_wire(const json::Value& value);

}  // namespace portico::controllers
