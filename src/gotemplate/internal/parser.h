// Parses tokens to a tree.
#pragma once

#include <string_view>

#include "base/result.h"
#include "gotemplate/internal/tree.h"

namespace portico::gotemplate::internal {

/// kInvalid with the position: a misplaced word, an unknown variable or function, an action without
/// its end, or nesting deeper than 100.
Result<Parsed> parse(std::string_view text);

}  // namespace portico::gotemplate::internal
