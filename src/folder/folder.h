// A package as a folder on disk: reading it, and turning what is there into another package.
//
// Nothing here follows a symbolic link below the folder, whoever put it there: links are read and
// written as links. A change is all or nothing: the new content is staged in `.portico-update` in
// the folder, with a list of what is to be done; a process that dies before the list is complete
// has changed nothing, and one that dies behind it is finished by whoever works on the folder next.
// docs/decisions/0220-folders-are-changed-whole.md
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "krm/package.h"

namespace portico::folder {

/// Holds the revision's name and resourceVersion between `rpkg pull` and `push`, as porchctl keeps
/// them. No part of the package.
inline constexpr const char* kRevisionMetadata = ".KptRevisionMetadata";

/// Bytes that a package in a folder may have in all.
inline constexpr std::size_t kLimit = 64u << 20;

/// Every file below `dir` but kRevisionMetadata, what is called ".git", and what an unfinished
/// change left; modes and symbolic links are kept. kInvalid for special files, for more than kLimit
/// bytes and for folders nested more than krm::kDeepestPath deep. With kResources the bytes of
/// files that neither hold resources nor say which of them count are not read, and do not count:
/// they are there, and empty.
enum class Reading { kAll, kResources };
Result<krm::Package> read(const std::string& dir, Reading reading = Reading::kAll);

/// One file below `dir`; kNotFound where there is none, kInvalid where it is no file.
Result<std::string> read_file(const std::string& dir, const std::string& path);

/// What was not written: symbolic links that lead out of the package (paths, in order).
struct Written {
  std::vector<std::string> links_left_out;
};

/// Turns `dir` (made if need be), which holds `before`, into `after`: what is equal is not touched,
/// files keep their permissions, folders that become empty go, files that are in neither stay.
/// A link of `after` that leads out of the package (krm::leads_inside) is written only where
/// `before` has it; else it is reported. Nothing is changed where it fails: kInvalid for paths that
/// clash (krm::check_paths) or lead through a link, kConflict for a file that is not what `before`
/// says, kUnavailable for the disk, and where another process is changing the folder.
Result<Written> change(const std::string& dir, const krm::Package& before,
                       const krm::Package& after);

/// Writes the package into a new folder, which appears with all of its content or not at all.
/// kInvalid where there is something already, in kpt's words. Folders above it are made.
Result<Written> create(const std::string& dir, const krm::Package& package);
/// That kInvalid.
Result<Done> check_absent(const std::string& dir);

}  // namespace portico::folder
