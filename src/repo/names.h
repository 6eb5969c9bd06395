// Names: of folders and files in git, and of the branches and tags that package revisions live on.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace portico::repo {

/// `directory` as compared: no leading, trailing or doubled '/', "." left out; kInvalid for "..".
Result<std::string> clean_directory(std::string_view directory);
/// "<directory>/<package>", either of which may be empty.
std::string join_path(std::string_view directory, std::string_view package);
/// The part of `path` below `directory`: "" where it is not below it (or is it).
std::string_view below(std::string_view path, std::string_view directory);

/// A package path that can be stored: not empty, every part fit for a folder and for a ref (no
/// "..", no ".git", no ".lock" at the end, none of git's special characters). kInvalid.
Result<Done> check_package_path(std::string_view package);
/// A path of a file in a package: relative, no empty, ".", ".." or ".git" part (in any case).
/// kInvalid.
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
/// Drafts of a mirror that are not pushed: where no fetch looks.
inline constexpr std::string_view kLocalDraftRefs = "refs/portico/drafts/";
inline constexpr std::string_view kLocalProposedRefs = "refs/portico/proposed/";

/// "a/b/v1" -> {"a/b", "v1"}; nullopt where there is no '/'.
struct PathAndLast {
  std::string_view path, last;
};
std::optional<PathAndLast> split_last(std::string_view text);

/// N of "vN", N >= 1 without leading zeros; -1 for any other text.
int revision_of_tag(std::string_view version);

}  // namespace portico::repo
