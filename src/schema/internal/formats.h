// The formats of texts that Kubernetes checks in custom resources.
#pragma once

#include <string_view>

namespace portico::schema::internal {

/// Whether the format is one that is checked; others (int32, unknown ones) mean nothing.
bool is_checked_format(std::string_view format);

/// Whether `text` is of a checked format.
bool has_format(std::string_view text, std::string_view format);

}  // namespace portico::schema::internal
