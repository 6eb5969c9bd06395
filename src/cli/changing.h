// Stored objects changed by a person: what is checked, and what is said of it.
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

/// What is stored where a person makes `wanted` of `stored`, by the same rules as apply; warnings
/// go to the terminal. kInvalid also where kind, namespace or name differ.
Result<json::Value> admitted_change(const json::Value& stored, const json::Value& wanted,
                                    Terminal& terminal);

/// The objects that "TYPE NAME..." or "TYPE/NAME..." mean; kInvalid where no name is said.
Result<std::vector<json::Value>> named_objects(const registry::Registry& registry,
                                               const std::string& type,
                                               const std::vector<std::string>& names,
                                               const std::string& ns);

/// Engine::settle() of a command that waits by itself. Nothing, and a note, where nobody tells when
/// all is done.
Result<std::optional<controllers::Plan>> settle_if_known(engine::Engine& engine,
                                                         const std::set<krm::ObjectKey>& asked,
                                                         Context& context);

/// Where `wait` says so, runs the controllers for `asked` (Engine::settle) and tells what was done.
/// The exit status is `exit`, or 1 where something failed that no status tells of.
Result<Exit> reconcile_if_asked(engine::Engine& engine, const WaitOptions& wait,
                                const std::set<krm::ObjectKey>& asked, Exit exit, Context& context);
/// The same with settle_if_known().
Result<Exit> reconcile_if_known(engine::Engine& engine, const WaitOptions& wait,
                                const std::set<krm::ObjectKey>& asked, Exit exit, Context& context);

std::set<krm::ObjectKey> keys_of(const std::vector<json::Value>& objects);

}  // namespace portico::cli
