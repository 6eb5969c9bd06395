// JSON strings.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::starlark_lib {

/// With quotes. As Go writes them: printable ASCII plain, in all other strings also '<', '>', '&'
/// escaped; bytes that are no UTF-8 become U+FFFD.
std::string quoted_json(std::string_view text);

/// What stands between the quotes, its escapes resolved; a lone surrogate becomes U+FFFD.
Result<std::string> unquoted_json(std::string_view text);

/// The first character of `text` in single quotes.
std::string quoted_char(std::string_view text);

}  // namespace portico::starlark_lib
