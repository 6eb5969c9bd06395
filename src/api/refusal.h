// Several things that are wrong with one object, as one error.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace portico::api {

/// Their messages, joined with "; ".
std::string text_of(const std::vector<Cause>& causes);

/// kInvalid with the causes, of which there is at least one, and their text.
Error refusal(std::vector<Cause> causes);

}  // namespace portico::api
