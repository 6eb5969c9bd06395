// The string formats that Kubernetes checks in custom resources.
#pragma once

#include <string_view>

namespace portico::schema::internal {

/// Whether the format is checked; others (int32, unknown ones) have no effect.
bool is_checked_format(std::string_view format);

/// Whether `text` conforms to a checked format.
bool has_format(std::string_view text, std::string_view format);

}  // namespace portico::schema::internal
