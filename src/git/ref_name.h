// Validates ref names. Pure.
#pragma once

#include <string_view>

#include "base/result.h"

namespace portico::git {

/// Applies the rules of git check-ref-format to a full name ("refs/heads/main"); otherwise any
/// UTF-8 is allowed. kInvalid says which rule `name` breaks.
Result<Done> check_ref_name(std::string_view name);

}  // namespace portico::git
