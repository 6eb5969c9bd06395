// Properties and case mappings of code points, for string methods.
#pragma once

#include <string>
#include <string_view>

#include "starlark_syntax/utf8.h"

namespace portico::starlark {

// Unicode's general categories.
bool is_letter(CodePoint code);
bool is_digit(CodePoint code);  // Nd
bool is_space(CodePoint code);  // White_Space
bool is_upper(CodePoint code);
bool is_lower(CodePoint code);
bool is_title(CodePoint code);
bool is_printable(CodePoint code);  // letters, marks, numbers, punctuation, symbols and the space
/// Whether the code point has another case.
bool is_cased(CodePoint code);

// Simple case mappings: a single code point to a single one.
CodePoint to_upper(CodePoint code);
CodePoint to_lower(CodePoint code);
CodePoint to_title(CodePoint code);
std::string to_upper(std::string_view text);
std::string to_lower(std::string_view text);

}  // namespace portico::starlark
