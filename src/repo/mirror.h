// Bare mirrors of remotes: what becomes of one that is damaged.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "git/remote.h"

namespace portico::repo {

/// Writes down that the mirror is to be fetched anew.
void mark_damaged(const std::string& mirror, const std::string& how);
/// What was written down; "" where nothing was.
std::string damage_of(const std::string& mirror);

struct Renewed {
  std::string kept;               // where the damaged one is now; "" where nothing in it was lost
  std::vector<std::string> lost;  // refs that are in no remote and could not be brought over
};
/// Fetches the remote into a new mirror, brings over what is in no remote (drafts of `drafts:
/// local`) as far as it is whole, and puts it in the place of the damaged one. That is removed
/// unless it has what could not be brought over. Where the remote cannot be reached nothing has
/// changed.
Result<Renewed> renew_mirror(const std::string& mirror, const git::RemoteAddress& remote,
                             const std::string& branch);

}  // namespace portico::repo
