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

/// Whether if takes it for true: neither null, false, 0, "" nor empty.
bool truth(const json::Value& value);

/// `and` and `or` get all their arguments here, too: who evaluates may stop before. kInvalid for
/// the wrong number or types of arguments.
Result<json::Value> call(std::string_view name, std::span<const json::Value> arguments);

}  // namespace portico::gotemplate::internal
