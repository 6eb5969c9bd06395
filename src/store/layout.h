// Whether this version can work on a state folder.
#pragma once

#include <filesystem>

#include "base/result.h"

namespace portico::store {

/// kInvalid where the folder's store is of a later layout, or was emptied: to be asked before
/// anything is made in it. open_embedded() and open_snapshot() ask, too, and see it where a later
/// version was killed before the file itself said so.
Result<Done> check_layout(const std::filesystem::path& folder);

}  // namespace portico::store
