// A cache of recently read packages.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/lru_cache.h"
#include "krm/package.h"

namespace portico::krm {

/// The memory that a package's files take, without their parsed resources.
std::size_t bytes_of(const Package& package);

/// Packages by the name of their content (a tree id). Not thread-safe.
class PackageCache {
 public:
  explicit PackageCache(std::size_t bytes) : cache_(bytes) {}
  /// nullptr if it is not in the cache.
  std::shared_ptr<const Package> find(const std::string& name) { return cache_.find(name); }
  void add(const std::string& name, std::shared_ptr<const Package> package) {
    const std::size_t bytes = bytes_of(*package);
    cache_.add(name, std::move(package), bytes);
  }

 private:
  LruCache<Package> cache_;
};

}  // namespace portico::krm
