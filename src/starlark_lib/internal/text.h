// JSON strings.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::starlark_lib {

/// Quotes a text like Go. A text of printable ASCII is kept as it is, apart from quotes and
/// backslashes; in any other text '<', '>' and '&' are escaped too. Bytes that are not UTF-8 become
/// U+FFFD.
std::string quoted_json(std::string_view text);

/// The text between the quotes, with escapes resolved; a lone surrogate becomes U+FFFD.
Result<std::string> unquoted_json(std::string_view text);

/// The first character of `text` in single quotes.
std::string quoted_char(std::string_view text);

}  // namespace portico::starlark_lib
