// Which paths are allowed for the files of a package, in git and on disk.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "krm/package.h"

namespace portico::krm {

inline constexpr std::size_t kDeepestPath = 64;

/// The error in one part of a path, as a clause ("a part is '.' or '..'"); "" if there is none.
/// ".git" is rejected in all spellings that some file system treats as equal: any case, trailing
/// dots and blanks, the short name "git~1", code points that macOS ignores.
std::string_view fault_of_part(std::string_view part);

/// Checks a path below a package's root: relative, at most 4096 bytes and kDeepestPath parts, each
/// without an error. Otherwise kInvalid; `what` starts the message: "file", "package".
Result<Done> check_path(std::string_view path, std::string_view what);

/// Checks that all files can coexist in one folder on any file system: every path is valid and
/// printable, and no two clash. Paths clash if one has a file where the other has a folder, or if
/// names differ only by case or by trailing dots and blanks. kInvalid names both paths. With
/// `fresh`, only these paths are checked, against all; clashes among the other paths are ignored.
Result<Done> check_paths(const Package& package, const std::set<std::string>* fresh = nullptr);

/// Whether a symbolic link at `path` with this target stays inside the package, judged by its text
/// alone: relative, with ".." only at the start and no more of them than folders above the link.
bool leads_inside(std::string_view path, std::string_view target);

/// The paths of symbolic links that lead out of the package, in order.
std::vector<std::string> links_out(const Package& package);

}  // namespace portico::krm
