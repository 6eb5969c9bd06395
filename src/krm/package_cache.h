// Packages that were read not long ago.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/lru_cache.h"
#include "krm/package.h"

namespace portico::krm {

/// What a package takes in memory, as far as its files say: what is read of them comes on top.
std::size_t bytes_of(const Package& package);

/// Packages by a name for their content (a tree id). Not for several threads at once.
class PackageCache {
 public:
  explicit PackageCache(std::size_t bytes) : cache_(bytes) {}
  /// nullptr where it is not kept.
  std::shared_ptr<const Package> find(const std::string& name) { return cache_.find(name); }
  void add(const std::string& name, std::shared_ptr<const Package> package) {
    const std::size_t bytes = bytes_of(*package);
    cache_.add(name, std::move(package), bytes);
  }

 private:
  LruCache<Package> cache_;
};

}  // namespace portico::krm
