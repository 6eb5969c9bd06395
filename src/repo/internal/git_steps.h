// Helpers shared by the lifecycle steps: commits and state checks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/object.h"
#include "repo/repository.h"

namespace portico::repo {

/// The committer that Porch writes; kpt and Porch clients display it.
inline constexpr std::string_view kCommitterName = "Package Orchestration Service";
inline constexpr std::string_view kCommitterEmail = "porch@kpt.dev";

/// The commit is authored by `by`, or by the committer if `by` is empty. `author`, if set,
/// overrides the author of all commits; the message then records who made the commit.
git::Commit commit_by(const Signature& by, const git::Person& author, const git::Oid& tree,
                      std::vector<git::Oid> parents, std::string message);

/// kConflict: a ref is at `found` (zero: missing) instead of `expected` ("": missing).
Error moved(const std::string& ref, const git::Oid& found, const std::string& expected);

/// kInvalid unless the revision has that lifecycle.
Result<Done> expect(const Revision& revision, Lifecycle lifecycle, std::string_view doing);

bool is_tag(const Revision& revision);

}  // namespace portico::repo
