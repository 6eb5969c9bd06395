// Lists the packs of a repository that can be read.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "git/internal/pack_index.h"

namespace portico::git {

struct PackList {
  std::vector<std::shared_ptr<const PackIndex>> indexes;  // index and pack are intact; by folder
  std::string damaged;  // path of a damaged index; "" if there is none
  bool operator==(const PackList&) const = default;

  bool has(const Oid& id) const;
};

/// Tracks the packs in some "objects" folders. Each index is read in full once and its checksum
/// verified: libgit2 trusts an index for where objects are, and crashes if the offset is outside
/// the pack. libgit2 does not trust the packs themselves. A pack whose trailer does not match its
/// index is truncated or another pack, and git uses nothing from it. Thread-safe.
class PackLister {
 public:
  /// `on_damage`, if given, is called with the path of each index that is damaged or has a damaged
  /// pack, from the thread that calls look().
  using OnDamage = std::function<void(const std::string& index)>;
  explicit PackLister(std::vector<std::string> objects_folders, OnDamage on_damage = {})
      : folders_(std::move(objects_folders)), on_damage_(std::move(on_damage)) {}

  /// The result of the last look().
  std::shared_ptr<const PackList> known();
  /// Lists the packs now; returns the same object as before if nothing changed.
  std::shared_ptr<const PackList> look();
  /// Frees the indexes that nothing else references; the checksum results are kept.
  void rest();

 private:
  struct Known {
    bool whole = false;
    std::weak_ptr<const PackIndex> index;
  };
  struct State {
    std::shared_ptr<const PackList> last;
    std::map<std::string, Known> files;  // by path and stat data of the file
  };
  const std::vector<std::string> folders_;
  const OnDamage on_damage_;
  Guarded<State> state_;
};

}  // namespace portico::git
