// The state of an object, in a word and in a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/health.h"
#include "json/value.h"

namespace portico::resources {

/// status.conditions; malformed entries are skipped.
std::vector<api::Condition> conditions_of(const json::Value& object);

/// The condition's status; "" if there is no such condition.
std::string condition_status(const json::Value& object, std::string_view type);

/// The health of an object of one of Portico's kinds, from its conditions.
api::Health health_of(const json::Value& object);

/// "Ready", "Pending", or the condition that keeps the object from being ready, with its message:
/// the most important fact for a user. For a package revision its lifecycle; "-" for kinds that no
/// controller here handles.
std::string state_of(const json::Value& object);

/// "tried 7 times since 2026-11-22T14:02:11Z, next try in 40s", from status.retry (api/retry.h); ""
/// if there is nothing to report. `now`: RFC 3339. If the next try is overdue, either more tries
/// have followed or no controller is running; a controller that starts retries at once.
std::string tries_of(const json::Value& object, std::string_view now);

}  // namespace portico::resources
