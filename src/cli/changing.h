// Changes to stored objects by a user: admission, and waiting for the controllers.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/asked.h"
#include "cli/context.h"
#include "engine/engine.h"
#include "json/value.h"
#include "registry/registry.h"

namespace portico::cli {

/// The object to store when a user changes `stored` to `wanted`, by the same rules as apply;
/// warnings go to the terminal. Also kInvalid if kind, namespace or name differ.
Result<json::Value> admitted_change(const json::Value& stored, const json::Value& wanted,
                                    Terminal& terminal);

/// The objects that "TYPE NAME..." or "TYPE/NAME..." name; kInvalid if no name is given.
Result<std::vector<json::Value>> named_objects(const registry::Registry& registry,
                                               const std::string& type,
                                               const std::vector<std::string>& names,
                                               const std::string& ns);

/// Engine::settle() for a command that always waits. Returns nullopt, and prints a note, if the
/// server cannot report when all is done.
Result<std::optional<controllers::Plan>> settle_if_known(engine::Engine& engine,
                                                         const std::set<krm::ObjectKey>& asked,
                                                         Context& context);

/// If `wait` is set, runs the controllers for `asked` (Engine::settle) and prints what was done.
/// Returns `exit`, or 1 if something failed that no status reports.
Result<Exit> reconcile_if_asked(engine::Engine& engine, const WaitOptions& wait,
                                const std::set<krm::ObjectKey>& asked, Exit exit, Context& context);
/// The same with settle_if_known().
Result<Exit> reconcile_if_known(engine::Engine& engine, const WaitOptions& wait,
                                const std::set<krm::ObjectKey>& asked, Exit exit, Context& context);

std::set<krm::ObjectKey> keys_of(const std::vector<json::Value>& objects);

}  // namespace portico::cli
