// Merge conflicts for people.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "merge/tree.h"

namespace portico::cli {

/// A table: where, what it was before, here and upstream, which was taken (where that is settled)
/// and why it is a conflict. "" without conflicts.
std::string conflict_table(const std::vector<merge::Conflict>& conflicts, bool settled = true);

/// The same of status.mergeConflicts of a PackageVariant.
std::string conflict_table(const json::Value& status);

}  // namespace portico::cli
