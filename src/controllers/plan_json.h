// A plan as JSON, for other programs.
#pragma once

#include "controllers/plan.h"
#include "json/value.h"

namespace portico::controllers {

/// In the format of docs/guide/plan.schema.json: {version, changes, failed, sets, variants,
/// errors}, in the order of the plan. Absent values are left out.
json::Value to_json(const Plan& plan);

}  // namespace portico::controllers
