// A change of several files in a folder, made completely or not at all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "folder/internal/dir_handle.h"
#include "krm/package.h"

namespace portico::folder {

/// Where a change is staged. Inside the folder, so that a rename completes it.
inline constexpr const char* kStaging = ".portico-update";

/// Locks the folder for this process until the DirHandle is destroyed; kUnavailable if another
/// process holds the lock. Then completes or drops a change that a dead process left staged.
Result<Done> take(const DirHandle& root);

/// Whether a change is staged.
bool is_staged(const DirHandle& root);

/// The operations, with paths relative to the folder.
struct Update {
  std::map<std::string, const krm::File*> writes;
  std::vector<std::string> removals;
};

/// Stages and performs the update; the folder must be locked with take(). On failure the folder is
/// unchanged. Removes folders that become empty.
Result<Done> carry_out(const DirHandle& root, const Update& update);

}  // namespace portico::folder
