// Keeps a second process out of the state folder.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "store/embedded.h"

namespace portico::store {

/// Holds the lock while it lives. The lock is the kernel's (flock), so it goes with the process,
/// however that ends; the pid in the file is for people.
class FolderLock {
 public:
  /// Makes the folder where it is missing. kUnavailable, with the holder's pid, where it is held:
  /// at once, or when the time of the turn is over. kConflict where the turn gives way.
  static Result<FolderLock> take(const std::filesystem::path& folder,
                                 const std::optional<Turn>& turn = std::nullopt);

  FolderLock() = default;  // holds nothing
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  ~FolderLock();

 private:
  explicit FolderLock(int file) : file_(file) {}
  Result<Done> wait(const std::filesystem::path& folder, const Turn& turn) const;
  bool had_within(std::chrono::milliseconds time) const;
  int file_ = -1;
  bool held_ = false;
};

}  // namespace portico::store
