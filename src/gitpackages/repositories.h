// The git repositories behind Repository objects, opened once each.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/log.h"
#include "base/meter.h"
#include "base/monitor.h"
#include "base/result.h"
#include "gitpackages/credentials.h"
#include "gitpackages/package_revision.h"
#include "json/value.h"
#include "registry/registry.h"
#include "repo/repository.h"

namespace portico::gitpackages {

/// Safe from any thread.
class Repositories {
 public:
  /// `mirrors` is the folder below which bare mirrors of remotes live; `scratch` see repo::Options.
  Repositories(const registry::Registry& registry, std::string mirrors, std::string scratch = {},
               std::function<bool()> stopped = {}, std::shared_ptr<Log> log = nullptr,
               Meter* meter = nullptr)
      : registry_(registry),
        mirrors_(std::move(mirrors)),
        scratch_(std::move(scratch)),
        stopped_(std::move(stopped)),
        log_(std::move(log)),
        meter_(meter) {}

  struct Opened {
    std::shared_ptr<repo::Repository> git;
    Home home;
  };
  /// By name; kNotFound where there is no such Repository object or no Secret of the name that it
  /// refers to, kUnavailable or kInvalid where its git repository cannot be opened. The Secret is
  /// read each time: nobody gets in with credentials that are there no more.
  Result<Opened> open(const std::string& ns, const std::string& name);
  Result<Opened> open(const json::Value& repository);
  void forget(const std::string& ns, const std::string& name);

 private:
  Result<Credentials> credentials(const json::Value& repository) const;
  Result<std::shared_ptr<repo::Repository>> open_as(const json::Value& repository,
                                                    const Credentials& secret) const;
  /// A Repository object's own: with `drafts: local` it holds drafts that are in no remote, which
  /// other namespaces must not see (decision 0074).
  std::string mirror_of(const std::string& url, const std::string& ns,
                        const std::string& name) const;

  struct Entry {  // reopened when the spec or the credentials change
    json::Value spec;
    Credentials credentials;
    std::shared_ptr<repo::Repository> git;
  };
  const registry::Registry& registry_;
  const std::string mirrors_, scratch_;
  const std::function<bool()> stopped_;
  const std::shared_ptr<Log> log_;
  Meter* const meter_;
  struct Entries {  // by namespace and name
    std::map<std::pair<std::string, std::string>, Entry> known;
    std::set<std::pair<std::string, std::string>> opening;
    std::map<std::pair<std::string, std::string>, Error> failed;  // the last opening of each
  };
  Monitor<Entries> opened_;
};

/// spec.git of a Repository object. kInvalid names the field.
Result<repo::Location> location_of(const json::Value& repository);

}  // namespace portico::gitpackages
