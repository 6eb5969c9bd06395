// Whether this version can use a state folder.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace portico::store {

/// kInvalid if the folder's store has a later layout or was emptied: call this before creating
/// anything in it. open_embedded() and open_snapshot() check as well, and also detect a later
/// layout that is only in the -wal because its writer was killed.
Result<Done> check_layout(const std::filesystem::path& folder);

}  // namespace portico::store
