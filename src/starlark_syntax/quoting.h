// String literals: from source to text, and from text to the literal that means it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::starlark {

struct StringLiteral {
  std::string text;
  bool bytes = false;  // b"..."
};

/// What a literal as it is written means, with its prefix (r, b, rb) and its quotes; line ends are
/// "\n" whatever the source has. kInvalid for an escape sequence that there is not.
Result<StringLiteral> unquote(std::string_view literal);

/// A literal in double quotes. Bytes of a string that are no UTF-8 become \xNN, which no string
/// literal may have: such a text has no literal.
std::string quote(std::string_view text, bool bytes = false);

}  // namespace portico::starlark
