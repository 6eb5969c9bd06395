// How a repository is opened, beyond where it is.
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

/// What a package may hold; beyond it reading and saving are kInvalid.
struct Limits {
  std::size_t file_bytes = 64u << 20;
  std::size_t package_bytes = 256u << 20;
  std::size_t files = 50'000;
};

struct Options {
  Limits limits;
  /// Packages that were read, of this and other repositories; null: kept for this one alone.
  std::shared_ptr<Guarded<krm::PackageCache>> packages{};
  std::size_t cache_bytes = 64u << 20;  // where `packages` is null
  bool local = true;                    // false: a repository of this machine is kInvalid
  bool always_mirror = false;           // also a local repository is fetched from and pushed to
  /// A folder that exists. Where it is given nothing else is written to: the repository is read as
  /// it is when it is opened (of a remote: as it can be fetched then), and what is written to it
  /// stays in a repository below this folder. Those of one repository share it.
  std::string scratch;
  std::chrono::seconds remote_patience{600};  // for one fetch or push
  Stop stopped{};                             // true: they end with kUnavailable
  std::shared_ptr<Log> log;                   // may be null
  Meter* meter = nullptr;                     // borrowed; may be null
  // Of the commit that makes a missing branch, and of what is remembered for a time; null: the
  // system's.
  std::shared_ptr<const Clock> clock;
};

}  // namespace portico::repo
