// What Go's regexp says of a pattern that it does not take.
#pragma once

#include <string>

namespace portico::schema::internal {

/// "error parsing regexp: missing closing ): `(`", for a pattern that RE2 refuses.
std::string go_regex_error(const std::string& pattern);

}  // namespace portico::schema::internal
