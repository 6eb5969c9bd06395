// The "format" of a text in an OpenAPI schema.
#pragma once

#include <string_view>

namespace portico::functions {

/// Whether the text has the format. True for formats that Kubernetes does not know, too.
bool has_format(std::string_view text, std::string_view format);

}  // namespace portico::functions
