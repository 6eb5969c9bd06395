// Names and paths: folders and files in git, and the branches and tags of package revisions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::repo {

/// Normalizes `directory`: no leading, trailing or doubled '/', no "." parts. kInvalid for "..".
Result<std::string> clean_directory(std::string_view directory);
/// "<directory>/<package>"; either part may be empty.
std::string join_path(std::string_view directory, std::string_view package);
/// The part of `path` below `directory`; "" if `path` is not below it or equals it.
std::string_view below(std::string_view path, std::string_view directory);

/// kInvalid unless `package` is a package path that can be stored: not empty, and every part valid
/// as a folder and in a ref (no "..", no ".git", no trailing ".lock", none of git's special
/// characters).
Result<Done> check_package_path(std::string_view package);
/// kInvalid unless `path` is a valid path of a file in a package: relative, without empty, ".",
/// ".." or ".git" (in any case) parts.
Result<Done> check_file_path(std::string_view path);

/// Full names of refs. `path` is directory and package.
std::string draft_ref(std::string_view path, std::string_view workspace);
std::string proposed_ref(std::string_view path, std::string_view workspace);
std::string deletion_ref(std::string_view path, std::string_view version);
std::string tag_ref(std::string_view path, std::string_view version);

inline constexpr std::string_view kDraftRefs = "refs/heads/drafts/";
inline constexpr std::string_view kProposedRefs = "refs/heads/proposed/";
inline constexpr std::string_view kDeletionRefs = "refs/heads/deletionProposed/";
inline constexpr std::string_view kTagRefs = "refs/tags/";
/// Drafts of a mirror that are not pushed; no fetch touches these refs.
inline constexpr std::string_view kLocalDraftRefs = "refs/portico/drafts/";
inline constexpr std::string_view kLocalProposedRefs = "refs/portico/proposed/";

/// "a/b/v1" -> {"a/b", "v1"}; nullopt if there is no '/'.
struct PathAndLast {
  std::string_view path, last;
};
std::optional<PathAndLast> split_last(std::string_view text);

/// N for "vN" with N >= 1 and no leading zeros; -1 for any other text.
int revision_of_tag(std::string_view version);

}  // namespace portico::repo
