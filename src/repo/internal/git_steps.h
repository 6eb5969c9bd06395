// What the steps of a package's life in git have in common: commits and expectations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/object.h"
#include "repo/repository.h"

namespace portico::repo {

/// The committer that Porch writes; kpt and Porch clients show it.
inline constexpr std::string_view kCommitterName = "Package Orchestration Service";
inline constexpr std::string_view kCommitterEmail = "porch@kpt.dev";

/// By `by`, or by the committer where nobody is named. `author` is that of all commits of the
/// repository, where it has one; the text says then who made it.
git::Commit commit_by(const Signature& by, const git::Person& author, const git::Oid& tree,
                      std::vector<git::Oid> parents, std::string message);

/// kConflict: a ref holds `found` (zero: nothing) and not what was expected ("": nothing).
Error moved(const std::string& ref, const git::Oid& found, const std::string& expected);

/// kInvalid unless the revision is in that state.
Result<Done> expect(const Revision& revision, Lifecycle lifecycle, std::string_view doing);

bool is_tag(const Revision& revision);

}  // namespace portico::repo
