// Keeps a second process out of the state folder.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace portico::store {

/// Holds the lock while it lives. The lock is the kernel's (flock), so it goes with the process,
/// however that ends; the pid in the file is for people.
class FolderLock {
 public:
  /// Makes the folder where it is missing. kUnavailable, with the holder's pid, where it is held.
  static Result<FolderLock> take(const std::filesystem::path& folder);

  FolderLock() = default;  // holds nothing
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock();

 private:
  explicit FolderLock(int file) : file_(file) {}
  int file_ = -1;
};

}  // namespace portico::store
