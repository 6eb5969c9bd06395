// A package as a folder on disk: reading it, and changing it into another package.
//
// Nothing here follows a symbolic link below the folder, whoever created it: links are read and
// written as links. A change is atomic: the new content is staged in `.portico-update` in the
// folder, together with a plan of the operations. If the process dies before the plan is complete,
// nothing has changed; if it dies later, the next command on the folder completes the change.
// docs/decisions/0220-folders-are-changed-whole.md
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "krm/package.h"

namespace portico::folder {

/// Holds the revision's name and resourceVersion between `rpkg pull` and `push`, in porchctl's
/// format. Not part of the package.
inline constexpr const char* kRevisionMetadata = ".KptRevisionMetadata";

/// Maximum total bytes of a package in a folder.
inline constexpr std::size_t kLimit = 64u << 20;

/// Reads all files below `dir` except kRevisionMetadata, entries named ".git" and the remains of an
/// unfinished change; keeps modes and symbolic links. kInvalid for special files, for more than
/// kLimit bytes and for folders nested more than krm::kDeepestPath deep. With kResources, files
/// that neither hold resources nor select them (other than Kptfile, .krmignore, YAML and JSON) are
/// listed but empty, and do not count toward kLimit. First completes or drops a change that a dead
/// process left unfinished.
enum class Reading { kAll, kResources };
Result<krm::Package> read(const std::string& dir, Reading reading = Reading::kAll);

/// Reads one file below `dir`; kNotFound if it does not exist, kInvalid if it is not a regular
/// file. Like read(), first completes or drops a change that a dead process left unfinished.
Result<std::string> read_file(const std::string& dir, const std::string& path);

/// The symbolic links that were not written because they lead out of the package (paths, sorted).
struct Written {
  std::vector<std::string> links_left_out;
};

/// Turns `dir` (created if necessary), which holds `before`, into `after`. Equal files are not
/// touched, existing files keep their permissions, folders that become empty are removed, files in
/// neither package stay. A link of `after` that leads out of the package (krm::leads_inside) is
/// written only if `before` has the same link; otherwise it is reported. On failure nothing
/// changes: kInvalid for paths that clash (krm::check_paths) or lead through a link, kConflict for
/// a file that differs from `before`, kUnavailable for disk errors and while another process is
/// changing the folder.
Result<Written> change(const std::string& dir, const krm::Package& before,
                       const krm::Package& after);

/// Writes the package into a new folder, which appears with all of its content or not at all.
/// kInvalid, in kpt's words, if the path exists. Creates missing parent folders.
Result<Written> create(const std::string& dir, const krm::Package& package);
/// Returns that kInvalid if `dir` exists.
Result<Done> check_absent(const std::string& dir);

}  // namespace portico::folder
