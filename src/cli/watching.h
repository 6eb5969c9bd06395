// `get -w`: what changes, as it changes.
#pragma once

#include "cli/commands.h"
#include "engine/engine.h"

namespace portico::cli {

/// Prints each object that `options` asks for when it changes after version `from`, in the form
/// that it says, until the deadline is over; without one until the process is stopped. kInvalid for
/// more than one type.
Result<Exit> watch_objects(engine::Engine& engine, const GetOptions& options,
                           registry::ResourceVersion from, Context& context);

}  // namespace portico::cli
