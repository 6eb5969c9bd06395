// The git repositories behind Repository objects, each opened once.
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
#include "gitpackages/internal/single_flight.h"
#include "gitpackages/package_revision.h"
#include "json/value.h"
#include "registry/registry.h"
#include "repo/repository.h"

namespace portico::gitpackages {

/// Thread-safe.
class Repositories {
 public:
  /// What the options point to must outlive it.
  explicit Repositories(const Options& options) : options_(options) {}

  struct Opened {
    std::shared_ptr<repo::Repository> git;
    Home home;
  };
  /// kNotFound if there is no Repository object with that name, or no Secret with the name it
  /// refers to; kUnavailable or kInvalid if its git repository cannot be opened. The Secret is read
  /// on every call, so that deleted credentials no longer grant access.
  Result<Opened> open(const std::string& ns, const std::string& name);
  Result<Opened> open(const json::Value& repository);
  /// Whether a Repository that is not stored could be opened, with the credentials in `secret` if
  /// it is not null. Fetches, creates and keeps nothing.
  Result<Done> check(const json::Value& repository, const json::Value& secret) const;
  void forget(const std::string& ns, const std::string& name);

 private:
  Result<Credentials> credentials(const json::Value& repository) const;
  using Git = Result<std::shared_ptr<repo::Repository>>;
  Git open_as(const json::Value& repository, const Credentials& secret) const;
  /// The mirror to use. A mirror from the earlier layout, one per URL, is taken over with its
  /// drafts by the first Repository object that asks for it.
  std::string adopt_mirror(const std::string& url, const std::string& ns,
                           const std::string& name) const;

  /// The state of one Repository object, which is reopened when its spec or credentials change.
  struct Entry {
    struct Outcome {
      json::Value spec;
      Credentials credentials;
      Git git;
    };
    SingleFlight openings;
    Guarded<std::optional<Outcome>> last;  // of the last completed opening
  };
  std::shared_ptr<Entry> entry_of(const std::string& ns, const std::string& name);
  repo::Options repo_options() const;
  const Options options_;
  // Shared by all repositories: cached packages, and the limit of open files.
  static constexpr std::size_t kCacheBytes = 64u << 20;
  static constexpr std::size_t kMostAwake = 200;
  const std::shared_ptr<Guarded<krm::PackageCache>> packages_ =
      std::make_shared<Guarded<krm::PackageCache>>(kCacheBytes);
  Awake<repo::Repository> awake_{kMostAwake};
  Guarded<std::map<std::pair<std::string, std::string>, std::shared_ptr<Entry>>> entries_;
};

/// The path of a remote's mirror below `mirrors`. Each Repository object has its own, because with
/// `drafts: local` it holds drafts that are in no remote and must not be visible to other
/// namespaces (decision 0074).
std::string mirror_path(const std::string& mirrors, const std::string& url, const std::string& ns,
                        const std::string& name);

/// spec.git of a Repository object. kInvalid names the field.
Result<repo::Location> location_of(const json::Value& repository);

}  // namespace portico::gitpackages
