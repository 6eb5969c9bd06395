// The git repositories behind Repository objects, opened once each.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/guarded.h"
#include "base/log.h"
#include "base/meter.h"
#include "base/result.h"
#include "base/stop.h"
#include "gitpackages/credentials.h"
#include "gitpackages/git_packages.h"
#include "gitpackages/internal/awake.h"
#include "gitpackages/internal/shared_runs.h"
#include "gitpackages/package_revision.h"
#include "json/value.h"
#include "registry/registry.h"
#include "repo/repository.h"

namespace portico::gitpackages {

/// Safe from any thread.
class Repositories {
 public:
  /// What the options point to outlives it.
  explicit Repositories(const Options& options) : options_(options) {}

  struct Opened {
    std::shared_ptr<repo::Repository> git;
    Home home;
  };
  /// By name; kNotFound where there is no such Repository object or no Secret of the name that it
  /// refers to, kUnavailable or kInvalid where its git repository cannot be opened. The Secret is
  /// read each time: nobody gets in with credentials that are there no more.
  Result<Opened> open(const std::string& ns, const std::string& name);
  Result<Opened> open(const json::Value& repository);
  /// Whether one that is not stored could be opened, with the login of `secret` where that is not
  /// null. Nothing is fetched, made or kept.
  Result<Done> check(const json::Value& repository, const json::Value& secret) const;
  void forget(const std::string& ns, const std::string& name);

 private:
  Result<Credentials> credentials(const json::Value& repository) const;
  using Git = Result<std::shared_ptr<repo::Repository>>;
  Git open_as(const json::Value& repository, const Credentials& secret) const;
  /// The mirror to use: where one was kept for each URL, the first Repository object to ask takes
  /// it for its own, with the drafts in it.
  std::string adopt_mirror(const std::string& url, const std::string& ns,
                           const std::string& name) const;

  /// One Repository object's. It is opened anew when the spec or the credentials change.
  struct Entry {
    struct Outcome {
      json::Value spec;
      Credentials credentials;
      Git git;
    };
    SharedRuns openings;
    Guarded<std::optional<Outcome>> last;  // of the last opening that has ended
  };
  std::shared_ptr<Entry> entry_of(const std::string& ns, const std::string& name);
  repo::Options repo_options() const;
  const Options options_;
  // What all of them have together: packages that were read, and files that are open.
  static constexpr std::size_t kCacheBytes = 64u << 20;
  static constexpr std::size_t kMostAwake = 200;
  const std::shared_ptr<Guarded<krm::PackageCache>> packages_ =
      std::make_shared<Guarded<krm::PackageCache>>(kCacheBytes);
  Awake<repo::Repository> awake_{kMostAwake};
  // By namespace and name.
  Guarded<std::map<std::pair<std::string, std::string>, std::shared_ptr<Entry>>> entries_;
};

/// Where below `mirrors` the mirror of a remote is: a Repository object's own, since with `drafts:
/// local` it holds drafts that are in no remote, which other namespaces must not see (decision
/// 0074).
std::string mirror_path(const std::string& mirrors, const std::string& url, const std::string& ns,
                        const std::string& name);

/// spec.git of a Repository object. kInvalid names the field.
Result<repo::Location> location_of(const json::Value& repository);

}  // namespace portico::gitpackages
