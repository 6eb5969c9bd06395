// Which paths the files of a package may have, in git and in folders.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "krm/package.h"

namespace portico::krm {

inline constexpr std::size_t kDeepestPath = 64;

/// What is wrong with one part of a path, as a clause ("a part is '.' or '..'"); "" where nothing
/// is. ".git" is refused in every spelling that a file system takes for it: any case, trailing dots
/// and blanks, the short name "git~1", code points that macOS ignores.
std::string_view fault_of_part(std::string_view part);

/// A path below a package's root: relative, at most 4096 bytes and kDeepestPath parts, each without
/// a fault. kInvalid; `what` begins the message: "file", "package".
Result<Done> check_path(std::string_view path, std::string_view what);

/// That all files can stand in one folder on any file system: every path is fit, printable, and no
/// two clash: a file where another path has a folder, names that differ by case or by dots and
/// blanks at their end only. kInvalid, which names the two. With `fresh` that is asked of these
/// paths, against all; what the others are is somebody else's choice.
Result<Done> check_paths(const Package& package, const std::set<std::string>* fresh = nullptr);

/// Whether a symbolic link at `path` with this target leads to something inside of the package, by
/// its text alone: relative, ".." in front only and no more of them than folders above the link.
bool leads_inside(std::string_view path, std::string_view target);

/// The paths of symbolic links that lead out of the package, in order.
std::vector<std::string> links_out(const Package& package);

}  // namespace portico::krm
