// PackageStore over porch.kpt.dev alone, as any server of it has it: for controllers that run
// beside Porch.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/log.h"
#include "cluster/api.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::porch {

/// A draft is saved in two calls: one makes it, the other puts the content in. In between it has
/// this readiness gate, whose condition nobody ever gives: it cannot be approved.
inline constexpr std::string_view kBuiltGate = "portico.dev/Built";
bool is_half_made(const json::Value& package_revision);

/// What controllers are to see of an object: null for a draft that is half made, else the object
/// (cluster::MirrorOptions::shown).
json::Value without_half_made(const json::Value& object);

struct StoreOptions {
  cluster::Api& api;
  /// With the PackageRevisions of the server, but for half-made ones.
  const registry::Registry& registry;
  /// Told of each object as the server answers it, and of what is gone, before a call returns.
  std::function<void(const json::Value& object)> wrote;
  std::function<void(const json::Value& last)> wrote_gone;
  Log* log = nullptr;  // may be null; outlives the store
};

/// As package_store.h says, but for what the API cannot do:
/// - Files are those that are text; of a new draft the others are those of what it is made from.
/// - save(): another try finishes what is half made of the same draft, and what is half made of
///   another one of the same variant goes. Pristine builds, pins and the words for commits are not
///   kept. Onto another base a draft comes as a new one, in a workspace beside its own.
/// - read_at() finds what a revision stands at; pristine_of() has none; history(), log(), sync()
///   and forget() are the server's: kInvalid.
std::unique_ptr<packages::PackageStore> make_package_store(StoreOptions options);

/// Removes what a process that is gone has left half made, in one namespace or ("") all. How many.
/// For one process at a time.
Result<std::size_t> remove_half_made(cluster::Api& api, const std::string& ns);

}  // namespace portico::porch
