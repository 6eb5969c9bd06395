// Merge conflicts for people.
#pragma once

#include <string>
#include <vector>

#include "merge/tree.h"

namespace portico::cli {

/// A table: where, what was here, what came from upstream, which was taken. "" without conflicts.
std::string conflict_table(const std::vector<merge::Conflict>& conflicts);

}  // namespace portico::cli
