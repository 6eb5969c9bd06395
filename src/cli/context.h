// Input and result types of all commands.
#pragma once

#include "engine/context.h"
#include "terminal/terminal.h"

namespace portico::cli {

using engine::Context;
using terminal::Colour;
using terminal::Terminal;

/// For commands after which the controllers may have work to do.
struct WaitOptions {
  bool wait = false;
};

/// The exit code of a command that did not fail; a failure is an Error, exit code 1.
using Exit = int;

}  // namespace portico::cli
