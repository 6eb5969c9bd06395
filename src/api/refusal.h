// Combines several problems of one object into one error.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace portico::api {

/// The messages, joined with "; ".
std::string text_of(const std::vector<Cause>& causes);

/// kInvalid with the causes, at least one, and their text.
Error refusal(std::vector<Cause> causes);

}  // namespace portico::api
