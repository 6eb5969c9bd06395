// Packages that were read not long ago.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>

#include "krm/package.h"

namespace portico::krm {

/// Packages by a name for their content (a tree id), the ones used last, up to a number of bytes.
/// Not for several threads at once.
class PackageCache {
 public:
  explicit PackageCache(std::size_t bytes) : most_(bytes) {}
  /// nullptr where it is not kept.
  std::shared_ptr<const Package> find(const std::string& name);
  /// Those used longest ago make room. A package of more than a quarter of all bytes is not kept.
  void add(const std::string& name, std::shared_ptr<const Package> package);

 private:
  struct Item {
    std::string name;
    std::shared_ptr<const Package> package;
    std::size_t bytes;
  };
  std::size_t most_, have_ = 0;
  std::list<Item> items_;  // used last at the front
  std::unordered_map<std::string, std::list<Item>::iterator> index_;
};

}  // namespace portico::krm
