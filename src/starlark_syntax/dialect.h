// The language dialect.
#pragma once

namespace portico::starlark {

/// Optional language features, which the specification leaves to the application.
struct Dialect {
  bool sets = false;       // the built-in function set
  bool recursion = false;  // recursive functions and while loops
  bool top_level = false;  // if, for and while outside functions; reassignment of globals
};

}  // namespace portico::starlark
