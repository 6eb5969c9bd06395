// Reads package versions from any git repository by URL: the upstreams of Kptfiles.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/stop.h"
#include "krm/kptfile.h"
#include "krm/package.h"
#include "repo/options.h"

namespace portico::repo {

struct UpstreamOptions {
  std::string cache;  // folder for bare mirrors of remote repositories; created when needed
  Limits limits;
  std::chrono::seconds patience{600};  // for one fetch
  Stop stopped{};                      // true: the fetch ends with kUnavailable
};

struct UpstreamVersion {
  krm::Package package;
  std::string ref;     // as resolved: "web/v2" for "v2", the default branch for ""
  std::string commit;  // 40 hex
};

/// Repositories that packages are read from. A repository on this machine is read in place. A
/// remote one is mirrored; its mirror is updated at most once in the lifetime of this object, and
/// not at all for a commit that it already has. Not thread-safe.
class Upstreams {
 public:
  explicit Upstreams(UpstreamOptions options);
  ~Upstreams();
  Upstreams(const Upstreams&) = delete;
  Upstreams& operator=(const Upstreams&) = delete;

  /// Removes the user name and password from a URL and returns the rest. The credentials are kept
  /// for that URL, so what is written to the package contains no secret. kInvalid if `url` is not a
  /// URL.
  Result<std::string> take_login(const std::string& url);

  /// The package at `where`: its `commit` if given, else its `ref` ("": the default branch),
  /// resolved as kpt does: first a tag prefixed with the directory or one of its parents ("web/v2"
  /// for v2 of /web), then a branch, a tag, or a commit id, which may be abbreviated. The directory
  /// "" or "/" is the whole repository. kNotFound names the missing repository, ref or directory;
  /// kUnavailable: not reachable.
  Result<UpstreamVersion> read(const krm::GitLocation& where);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace portico::repo
