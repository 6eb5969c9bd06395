// Positions in a source, and errors at them.
#pragma once

#include <string>

namespace portico::starlark {

/// Line and column, counted from 1; columns count code points.
struct Position {
  int line = 0, column = 0;
  bool operator==(const Position&) const = default;
};

/// Thrown by the parser and the resolver; Program::compile turns it into an Error.
struct SyntaxError {
  Position where;
  std::string message;
};

}  // namespace portico::starlark
