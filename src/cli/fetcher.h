// Fetches packages from git repositories that a user names by URL.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "krm/kptfile.h"
#include "package/update.h"
#include "repo/upstreams.h"

namespace portico::cli {

/// Reads from git with the user's own credentials, and shows progress on a terminal. Mirrors of
/// remote repositories stay in the user's cache folder between commands. Not thread-safe.
class Fetcher {
 public:
  explicit Fetcher(Context& context);

  /// See repo::Upstreams.
  Result<std::string> take_login(const std::string& url) { return upstreams_.take_login(url); }

  /// See repo::Upstreams. Removes links that lead out of the package and warns of them, because
  /// they are not written anywhere.
  Result<package::Fetched> read(const krm::GitLocation& where);
  package::Fetch fetch();

 private:
  repo::Upstreams upstreams_;
  Context& context_;
  std::set<std::string> warned_;  // commits
};

}  // namespace portico::cli
