// Which language it is.
#pragma once

namespace portico::starlark {

/// What goes beyond the language's core. The specification leaves these to the application.
struct Dialect {
  bool sets = false;       // the built-in function set
  bool recursion = false;  // functions that call themselves, while loops
  bool top_level = false;  // if, for and while outside functions; globals assigned again
};

}  // namespace portico::starlark
