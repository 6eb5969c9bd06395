// PackageStore over git repositories, with the objects in a registry.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/meter.h"
#include "base/stop.h"
#include "packages/package_store.h"
#include "registry/registry.h"

namespace portico::gitpackages {

struct Options {
  registry::Registry& registry;
  const Clock& clock;
  /// Where the Secrets of logins are read; null: with the rest.
  const registry::Registry* secrets = nullptr;
  /// False: git repositories of this machine (a path, file://) are kInvalid. They would be whatever
  /// this process may read, mirrors of others included.
  bool local_repositories = true;
  /// False: `drafts: local` is kInvalid. They would be in the mirror of one process of several.
  bool local_drafts = true;
  std::string mirrors;  // folder of the bare mirrors of remotes
  /// For a rehearsal: git repositories are written to below this folder only (repo/options.h).
  std::string scratch{};
  std::shared_ptr<Log> log{};  // null: silent
  Meter* meter = nullptr;      // borrowed; may be null
  /// True: what is under way with a remote ends with kUnavailable.
  Stop stopped{};
};

/// Removes the locks that writers of ours left in the registered repositories of this machine when
/// they were killed, so that nobody else who pushes there waits for them.
void clear_locks_of_the_dead(const registry::Registry& registry);

/// What it is given must outlive it.
std::unique_ptr<packages::PackageStore> make_git_packages(const Options& options);

}  // namespace portico::gitpackages
