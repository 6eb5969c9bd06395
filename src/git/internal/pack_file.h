// Writing packs (git's gitformat-pack: pack version 2, index version 2).
#pragma once

#include <string>

#include "base/result.h"
#include "git/staging.h"

namespace portico::git {

/// A pack that is stored and synced, kept from being removed by `git repack` until release().
class StoredPack {
 public:
  StoredPack() = default;
  StoredPack(StoredPack&& other) noexcept : keep_(std::exchange(other.keep_, {})) {}
  StoredPack& operator=(StoredPack&& other) noexcept {
    std::swap(keep_, other.keep_);
    return *this;
  }
  ~StoredPack() { release(); }

  /// The refs that need the pack are stored (or never will be).
  void release();

 private:
  friend Result<StoredPack> store_pack(const std::string&, const Staging&);
  explicit StoredPack(std::string keep) : keep_(std::move(keep)) {}
  std::string keep_;  // path of the .keep file
};

/// Writes all of `objects` as one pack below `objects_folder`: durable and visible to any reader
/// when it returns. Nothing happens for an empty set. A crash on the way leaves at most files named
/// tmp_*, which git removes in time.
Result<StoredPack> store_pack(const std::string& objects_folder, const Staging& objects);

/// Removes what a crash left behind: .keep and temporary files of ours, and in a mirror those of
/// git. No writer may be at work.
void clean_packs(const std::string& objects_folder, bool mirror);

/// How many packs there are.
std::size_t count_packs(const std::string& objects_folder);

}  // namespace portico::git
