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
  /// Where Secrets with credentials are read; null: from `registry`.
  const registry::Registry* secrets = nullptr;
  /// False: git repositories on this machine (a path, file://) are kInvalid. They would expose
  /// everything that this process can read, including other Repositories' mirrors.
  bool local_repositories = true;
  /// False: `drafts: local` is kInvalid. Such drafts exist only in the mirror of one of several
  /// processes.
  bool local_drafts = true;
  std::string mirrors;  // folder of the bare mirrors of remotes
  /// For a rehearsal: git repositories are written only below this folder (repo/options.h).
  std::string scratch{};
  std::shared_ptr<Log> log{};  // null: no logging
  Meter* meter = nullptr;      // borrowed; may be null
  /// True: pending operations on a remote end with kUnavailable.
  Stop stopped{};
};

/// Removes the locks that killed Portico processes left in registered repositories on this machine,
/// so that other clients that push there do not wait for them.
void clear_locks_of_the_dead(const registry::Registry& registry);

/// What the options point to must outlive it.
std::unique_ptr<packages::PackageStore> make_git_packages(const Options& options);

}  // namespace portico::gitpackages
