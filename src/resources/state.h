// How an object fares, by its conditions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace portico::resources {

/// The condition's status, "" where there is none.
std::string condition_status(const json::Value& object, std::string_view type);

/// Ready's state in one word and its message: what a person must know of the object first. Of a
/// package revision its lifecycle; "-" where nobody here answers for the kind.
std::string state_of(const json::Value& object);

}  // namespace portico::resources
