// Names: of package revision objects, of workspaces, and of the branches and tags they live on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace portico::repo {

/// "<repository>.<package>.<workspace>", slashes of the package path (below the repository's
/// directory) as dots: "edge.networks.web.v1", as Porch names them. Found in git may be paths that
/// give no such name ("infra/Web_1"): theirs is made of what can stay and 8 digits of a hash.
std::string object_name(std::string_view repository, std::string_view package,
                        std::string_view workspace);

/// kInvalid unless repository, each part of the package path and the workspace are RFC 1123 labels
/// and the whole a DNS subdomain. For what users create; what is found in git may have other names.
Result<Done> check_object_name(std::string_view repository, std::string_view package,
                               std::string_view workspace);

/// 1 to 63 of [a-z0-9-], first and last not '-'.
Result<Done> check_workspace(std::string_view workspace);

/// "<prefix><n>" with the smallest n above every `taken` one of that form: "packagevariant-3".
std::string next_workspace(std::string_view prefix, std::span<const std::string> taken);

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
