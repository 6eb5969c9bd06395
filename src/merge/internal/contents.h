// The files of one package, without its subpackages and its Kptfile, in three versions.
#pragma once

#include "merge/package.h"
#include "merge/schema.h"

namespace portico::merge::internal {

/// See resource_merge. Paths stay as they are. `ours` is changed in place; conflicts are appended.
Result<Done> merge_contents(const krm::Package& base, const krm::Package& theirs,
                            krm::Package& ours, const Schemas& schemas, OnConflict on_conflict,
                            std::vector<Conflict>& conflicts);

/// One file as bytes: three versions, any of which may be missing (nullptr). True where `merged`
/// says what comes out (nullptr: no file); the conflict is appended where there is one.
const krm::File* merge_file(const std::string& path, const krm::File* base, const krm::File* theirs,
                            const krm::File* ours, std::vector<Conflict>& conflicts);

}  // namespace portico::merge::internal
