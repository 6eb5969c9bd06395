// Options for opening a repository.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/log.h"
#include "base/meter.h"
#include "base/stop.h"
#include "krm/package_cache.h"

namespace portico::repo {

/// Limits on a package; reading or saving a larger one is kInvalid.
struct Limits {
  std::size_t file_bytes = 64u << 20;
  std::size_t package_bytes = 256u << 20;
  std::size_t files = 50'000;
};

struct Options {
  Limits limits;
  /// Cache of packages, possibly shared with other repositories; null: this repository has its own.
  std::shared_ptr<Guarded<krm::PackageCache>> packages{};
  std::size_t cache_bytes = 64u << 20;  // size of that cache if `packages` is null
  bool local = true;                    // false: a repository on this machine is kInvalid
  bool always_mirror = false;           // fetch from and push to a local repository too
  /// An existing folder. If set, nothing else is written to: the repository is read in the state it
  /// has when it is opened (a remote: as fetched then), and writes go to a repository below this
  /// folder. All opens of one repository share that repository.
  std::string scratch;
  std::chrono::seconds remote_patience{600};  // for one fetch or push
  Stop stopped{};                             // true: they end with kUnavailable
  std::shared_ptr<Log> log;                   // may be null
  Meter* meter = nullptr;                     // borrowed; may be null
  // Time of the commit that creates a missing branch, and of cached facts that expire; null: system
  // clock.
  std::shared_ptr<const Clock> clock;
};

}  // namespace portico::repo
