// Merges the files of one package, without its subpackages and its Kptfile.
#pragma once

#include "merge/package.h"
#include "merge/schema.h"

namespace portico::merge::internal {

/// See resource_merge. Paths do not change. `ours` is changed in place; conflicts are appended.
Result<Done> merge_contents(const krm::Package& base, const krm::Package& theirs,
                            krm::Package& ours, const Schemas& schemas, OnConflict on_conflict,
                            std::vector<Conflict>& conflicts);

/// Merges one file as bytes. nullptr stands for a missing version. Returns the version to keep
/// (nullptr: no file) and appends the conflict if there is one.
const krm::File* merge_file(const std::string& path, const krm::File* base, const krm::File* theirs,
                            const krm::File* ours, std::vector<Conflict>& conflicts);

}  // namespace portico::merge::internal
