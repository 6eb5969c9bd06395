// Prints merge conflicts as tables.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "merge/tree.h"

namespace portico::cli {

/// A table: the location, the values of base, local and upstream, which one was taken (if
/// `settled`), and the rule that makes it a conflict. "" without conflicts.
std::string conflict_table(const std::vector<merge::Conflict>& conflicts, bool settled = true);

/// The same for status.mergeConflicts of a PackageVariant.
std::string conflict_table(const json::Value& status);

}  // namespace portico::cli
