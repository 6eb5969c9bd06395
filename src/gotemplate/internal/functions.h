// The functions that templates can call.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::gotemplate::internal {

bool is_function(std::string_view name);
std::vector<std::string_view> function_names();

/// The truth value for `if`: true unless null, false, 0, "" or empty.
bool truth(const json::Value& value);

/// `and` and `or` also receive all their arguments here; the evaluator may short-circuit before.
/// kInvalid for the wrong number or types of arguments.
Result<json::Value> call(std::string_view name, std::span<const json::Value> arguments);

}  // namespace portico::gotemplate::internal
