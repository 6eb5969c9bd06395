// PackageStore over the porch.kpt.dev API of any server: for controllers that run next to Porch.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/log.h"
#include "cluster/api.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::porch {

/// A draft is saved in two calls: one creates it, the other sets its content. In between it has
/// this readiness gate, whose condition is never set, so that it cannot be approved.
inline constexpr std::string_view kBuiltGate = "portico.dev/Built";
bool is_half_made(const json::Value& package_revision);

/// An object as controllers see it: null for a half-made draft, else the object
/// (cluster::MirrorOptions::shown).
json::Value without_half_made(const json::Value& object);

struct StoreOptions {
  cluster::Api& api;
  /// Has the server's PackageRevisions, except half-made ones.
  const registry::Registry& registry;
  /// Called with each object that the server returns, and each that was deleted, before the call
  /// returns. `since`: the registry's version from before the request.
  std::function<void(const json::Value& object, registry::ResourceVersion since)> wrote;
  std::function<void(const json::Value& last, registry::ResourceVersion since)> wrote_gone;
  Log* log = nullptr;  // may be null; must outlive the store
};

/// As in package_store.h, within the limits of the API:
/// - Only text files are written; a new draft keeps the other files of what it is made from.
/// - save(): a retry completes a half-made draft of the same name; a half-made one of the same
///   variant with another name is deleted. Pristine builds, pins and commit messages are not
///   stored. To move a draft onto another base, a new draft in another workspace replaces it.
/// - read_at() finds only commits that a revision is at; pristine_of() returns nullopt; check(),
///   history(), log(), sync() and forget() are kInvalid, because the server does that work.
std::unique_ptr<packages::PackageStore> make_package_store(StoreOptions options);

/// Deletes half-made drafts that a dead process left, in one namespace or ("") all. Returns their
/// number. Only one process may work on drafts meanwhile.
Result<std::size_t> remove_half_made(cluster::Api& api, const std::string& ns);

}  // namespace portico::porch
