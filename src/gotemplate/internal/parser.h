// Tokens to a tree.
#pragma once

#include <string_view>

#include "base/result.h"
#include "gotemplate/internal/tree.h"

namespace portico::gotemplate::internal {

/// kInvalid with the place: a word where none can stand, a variable or function that there is not,
/// an action without its end, what is nested deeper than 100.
Result<Parsed> parse(std::string_view text);

}  // namespace portico::gotemplate::internal
