// `get -w`: what changes, as it changes.
#pragma once

#include <vector>

#include "cli/commands.h"
#include "engine/engine.h"
#include "json/value.h"

namespace portico::cli {

/// kInvalid where nothing can be watched as the options say: more than one type, an output that
/// there is not.
Result<Done> check_watch(const registry::Registry& registry, const GetOptions& options);

/// Prints each object that `options` asks for when it changes after version `from`, at which
/// `shown` were printed, in the form that it says, until the deadline is over; without one until
/// the process is stopped. Where the server has forgotten that version, what there is now is listed
/// and what is different from before is printed.
Result<Exit> watch_objects(engine::Engine& engine, const GetOptions& options,
                           const std::vector<json::Value>& shown, registry::ResourceVersion from,
                           Context& context);

}  // namespace portico::cli
