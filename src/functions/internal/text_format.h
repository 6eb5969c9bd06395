// The "format" keyword for strings in an OpenAPI schema.
#pragma once

#include <string_view>

namespace portico::functions {

/// Whether the text has the format. Also true for formats that Kubernetes does not check.
bool has_format(std::string_view text, std::string_view format);

}  // namespace portico::functions
