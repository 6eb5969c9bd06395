// Which texts can be names of refs. Pure.
#pragma once

#include <string_view>

#include "base/result.h"

namespace portico::git {

/// The rules of git check-ref-format for a full name ("refs/heads/main"); any UTF-8 is fine beyond
/// them. kInvalid says which rule `name` breaks.
Result<Done> check_ref_name(std::string_view name);

}  // namespace portico::git
