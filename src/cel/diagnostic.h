// Errors in an expression's text, and how to display them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/value.h"

namespace portico::cel {

/// One finding of the parser or the checker.
struct Issue {
  std::uint32_t offset = 0;  // in bytes
  std::string message;       // one line
};

/// 1-based; the column counts code points.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};
Position position_of(std::string_view source, std::uint32_t offset);

/// "3:14: undeclared reference to 'x' (in container '')".
std::string one_line(const Issue& issue, std::string_view source);

/// With the source line and a caret below it, three lines per issue:
///   ERROR: <input>:1:5: found no matching overload for '_+_' applied to '(int, string)'
///    | 1 + 'a'
///    | ..^
std::string display(const std::vector<Issue>& issues, std::string_view source,
                    std::string_view name = "<input>");

/// The text at `span`, cut to 60 bytes, for messages.
std::string excerpt(std::string_view source, Span span);

}  // namespace portico::cel
