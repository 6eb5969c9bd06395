// Replaces damaged bare mirrors of remotes.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "git/remote.h"

namespace portico::repo {

/// Records that the mirror is damaged and must be fetched again.
void mark_damaged(const std::string& mirror, const std::string& how);
/// The recorded damage; "" if there is none.
std::string damage_of(const std::string& mirror);

struct Renewed {
  std::string kept;               // path of the damaged mirror; "" if nothing was lost
  std::vector<std::string> lost;  // refs that are in no remote and could not be transferred
};
/// Fetches the remote into a new mirror, transfers what exists in no remote (drafts of `drafts:
/// local`) as far as it is readable, and replaces the damaged mirror. The damaged mirror is deleted
/// unless it holds refs that could not be transferred. If the remote cannot be reached, nothing
/// changes.
Result<Renewed> renew_mirror(const std::string& mirror, const git::RemoteAddress& remote,
                             const std::string& branch);

}  // namespace portico::repo
