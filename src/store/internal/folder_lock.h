// Prevents two processes from using one state folder.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "store/embedded.h"

namespace portico::store {

/// Holds the lock for its lifetime. It is a kernel lock (flock), which ends with the process in any
/// case; the pid in the file is for error messages and was_killed().
class FolderLock {
 public:
  /// Creates the folder if it is missing. If the lock is held: kUnavailable with the holder's pid,
  /// at once or when the turn's time is over; kConflict if the turn gives way.
  static Result<FolderLock> take(const std::filesystem::path& folder,
                                 const std::optional<Turn>& turn = std::nullopt);

  FolderLock() = default;  // holds no lock
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
