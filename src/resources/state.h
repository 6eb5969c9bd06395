// How an object fares, in a word and in a line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/health.h"
#include "json/value.h"

namespace portico::resources {

/// status.conditions; what is none is passed over.
std::vector<api::Condition> conditions_of(const json::Value& object);

/// The condition's status, "" where there is none.
std::string condition_status(const json::Value& object, std::string_view type);

/// Of a kind of ours, by its conditions.
api::Health health_of(const json::Value& object);

/// "Ready", "Pending", or the condition that keeps it from being ready, with its message: what a
/// person must know of the object first. Of a package revision its lifecycle; "-" where nobody here
/// answers for the kind.
std::string state_of(const json::Value& object);

/// "tried 7 times since 2026-11-22T14:02:11Z, next try in 40s", of status.retry (api/retry.h); ""
/// where that has nothing to say. `now`: RFC 3339. A try that was due before it has been made, and
/// there have been more since, or nothing runs that could make it; one that starts tries at once.
std::string tries_of(const json::Value& object, std::string_view now);

}  // namespace portico::resources
