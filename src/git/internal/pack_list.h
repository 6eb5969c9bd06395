// Which packs of a repository can be read.
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
  std::vector<std::shared_ptr<const PackIndex>> indexes;  // whole as their packs, by folder
  std::string damaged;  // the path of one that is not; "" where all are
  bool operator==(const PackList&) const = default;

  bool has(const Oid& id) const;
};

/// The packs in some folders "objects", as they come and go. An index is read whole once, and its
/// checksum compared: libgit2 takes its word for where objects are, and crashes where that is not
/// in the pack. Of the packs themselves it believes nothing; one that does not end as its index
/// says is cut short, or another one, and git uses none of it. Safe from any thread.
class PackLister {
 public:
  /// `on_damage`, where given, is told the path of each index that is found not to be whole, or
  /// whose pack is not; from the thread that looks.
  using OnDamage = std::function<void(const std::string& index)>;
  explicit PackLister(std::vector<std::string> objects_folders, OnDamage on_damage = {})
      : folders_(std::move(objects_folders)), on_damage_(std::move(on_damage)) {}

  /// What was there at the last look.
  std::shared_ptr<const PackList> known();
  /// What is there now; the same object as before where nothing has changed.
  std::shared_ptr<const PackList> look();
  /// Unmaps what nobody else holds; what is known of checksums stays known.
  void rest();

 private:
  struct Known {
    bool whole = false;
    std::weak_ptr<const PackIndex> index;
  };
  struct State {
    std::shared_ptr<const PackList> last;
    std::map<std::string, Known> files;  // by path and what stat says of the file
  };
  const std::vector<std::string> folders_;
  const OnDamage on_damage_;
  Guarded<State> state_;
};

}  // namespace portico::git
