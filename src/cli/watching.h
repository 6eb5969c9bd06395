// `get -w`: prints changes as they happen.
#pragma once

#include <vector>

#include "cli/commands.h"
#include "engine/engine.h"
#include "json/value.h"

namespace portico::cli {

/// Returns kInvalid if the options cannot be combined with a watch (several types), or name an
/// unknown output.
Result<Done> check_watch(const registry::Registry& registry, const GetOptions& options);

/// Prints each requested object when it changes after version `from` (the version of `shown`), in
/// the requested format, until the deadline, or without one until the process is stopped. If the
/// server no longer has that version, lists the objects again and prints those that differ.
Result<Exit> watch_objects(engine::Engine& engine, const GetOptions& options,
                           const std::vector<json::Value>& shown, registry::ResourceVersion from,
                           Context& context);

}  // namespace portico::cli
