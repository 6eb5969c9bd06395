// Versions of packages out of any git repository, by URL: what the upstream of a Kptfile names.
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
  std::string cache;  // folder for bare mirrors of what is not on this machine; made when needed
  Limits limits;
  std::chrono::seconds patience{600};  // for one fetch
  Stop stopped{};                      // true: it ends with kUnavailable
};

struct UpstreamVersion {
  krm::Package package;
  std::string ref;     // as it was resolved: "web/v2" of "v2", the default branch of ""
  std::string commit;  // 40 hex
};

/// Repositories that packages are read from. One on this machine is read where it lies; of another
/// one there is a mirror, which is brought up to date at most once in the life of this object, and
/// not at all for a commit that it has. Not for several threads at once.
class Upstreams {
 public:
  explicit Upstreams(UpstreamOptions options);
  ~Upstreams();
  Upstreams(const Upstreams&) = delete;
  Upstreams& operator=(const Upstreams&) = delete;

  /// The URL without the name and password that may stand in it. They are remembered for it, so
  /// that what is written of the package holds no secret. kInvalid for what is no URL.
  Result<std::string> take_login(const std::string& url);

  /// The package at `where`: its `commit` if that is given, else its `ref` ("": the default
  /// branch), found as kpt does: first a tag that begins with the directory or one above it
  /// ("web/v2" for v2 of /web), then a branch, a tag, a commit, which may be abbreviated. The
  /// directory "" or "/" is the whole repository. kNotFound that names repository, ref or
  /// directory, whichever is not there; kUnavailable: not reached.
  Result<UpstreamVersion> read(const krm::GitLocation& where);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace portico::repo
