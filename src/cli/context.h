// What every command is given, and what it hands back.
#pragma once

#include "engine/context.h"
#include "terminal/terminal.h"

namespace portico::cli {

using engine::Context;
using terminal::Colour;
using terminal::Terminal;

/// Shared by commands after which the controllers may have something to do.
struct WaitOptions {
  bool wait = false;
};

/// The exit code of a command that did not fail; failures are Errors, exit code 1.
using Exit = int;

}  // namespace portico::cli
