// Converts string literals to text and back.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::starlark {

struct StringLiteral {
  std::string text;
  bool bytes = false;  // b"..."
};

/// The value of a literal as written, with its prefix (r, b, rb) and quotes; line ends become "\n"
/// whatever the source has. kInvalid for an unknown escape sequence.
Result<StringLiteral> unquote(std::string_view literal);

/// A literal in double quotes. Bytes of a string that are not UTF-8 become \xNN, which is not
/// allowed in a string literal: such a text has no literal.
std::string quote(std::string_view text, bool bytes = false);

}  // namespace portico::starlark
