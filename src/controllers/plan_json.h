// A plan as JSON, for programs.
#pragma once

#include "controllers/plan.h"
#include "json/value.h"

namespace portico::controllers {

/// As docs/guide/plan.schema.json says: {version, changes, failed, sets, variants, errors}, in the
/// plan's order. What has no value is left out.
json::Value to_json(const Plan& plan);

}  // namespace portico::controllers
