// Packages out of git repositories that a person names by URL.
#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "krm/kptfile.h"
#include "package/update.h"
#include "repo/upstreams.h"

namespace portico::cli {

/// Reads from git with the person's own rights, and says so on a terminal; mirrors of remote
/// repositories stay in the person's cache folder between commands. For one thread.
class Fetcher {
 public:
  explicit Fetcher(Context& context);

  /// As repo::Upstreams has it.
  Result<std::string> take_login(const std::string& url) { return upstreams_.take_login(url); }

  /// As repo::Upstreams has it, without the links that lead out of the package, of which it warns:
  /// they are written nowhere.
  Result<package::Fetched> read(const krm::GitLocation& where);
  package::Fetch fetch();

 private:
  repo::Upstreams upstreams_;
  Context& context_;
  std::set<std::string> warned_;  // commits
};

}  // namespace portico::cli
