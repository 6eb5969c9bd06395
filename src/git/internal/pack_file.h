// Writes packs (git's gitformat-pack: pack version 2, index version 2).
#pragma once

#include <string>

#include "base/result.h"
#include "git/staging.h"

namespace portico::git {

/// A stored and synced pack, protected from `git repack` until release().
class StoredPack {
 public:
  StoredPack() = default;
  StoredPack(StoredPack&& other) noexcept : keep_(std::exchange(other.keep_, {})) {}
  StoredPack& operator=(StoredPack&& other) noexcept {
    std::swap(keep_, other.keep_);
    return *this;
  }
  ~StoredPack() { release(); }

  /// Call when the refs that need the pack are stored, or never will be.
  void release();

 private:
  friend Result<StoredPack> store_pack(const std::string&, const Staging&);
  explicit StoredPack(std::string keep) : keep_(std::move(keep)) {}
  std::string keep_;  // path of the .keep file
};

/// Writes `objects` as one pack below `objects_folder`, durable and visible to every reader on
/// return. No-op for an empty set. A crash leaves at most files named tmp_*, which git removes
/// eventually.
Result<StoredPack> store_pack(const std::string& objects_folder, const Staging& objects);

/// Removes what a crash left behind: Portico's .keep and temporary files and, in a mirror, git's
/// temporary files. No writer may be active.
void clean_packs(const std::string& objects_folder, bool mirror);

std::size_t count_packs(const std::string& objects_folder);

}  // namespace portico::git
