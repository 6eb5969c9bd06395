// A PackageStore that forwards all calls, for tests that override a single answer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "packages/package_store.h"

namespace portico::controllers {

class PassingStore : public packages::PackageStore {
 public:
  explicit PassingStore(packages::PackageStore& below) : below_(below) {}

  Result<std::shared_ptr<const krm::Package>> read(const json::Value& revision) override {
    return below_.read(revision);
  }
  Result<std::shared_ptr<const krm::Package>> read_some(const json::Value& revision,
                                                        const krm::WantedPath& wanted) override {
    return below_.read_some(revision, wanted);
  }
  Result<std::shared_ptr<const krm::Package>> read_at(const std::string& ns,
                                                      const std::string& repository,
                                                      const std::string& package,
                                                      const std::string& commit) override {
    return below_.read_at(ns, repository, package, commit);
  }
  Result<std::optional<packages::Pristine>> pristine_of(const json::Value& revision) override {
    return below_.pristine_of(revision);
  }
  Result<std::vector<packages::Change>> history(const json::Value& revision,
                                                std::size_t most) override {
    return below_.history(revision, most);
  }
  Result<std::vector<packages::Change>> log(const json::Value& revision,
                                            std::size_t most) override {
    return below_.log(revision, most);
  }
  Result<json::Value> save(const packages::SaveRequest& request) override {
    return below_.save(request);
  }
  Result<json::Value> propose(const krm::ObjectKey& key, const packages::Actor& actor) override {
    return below_.propose(key, actor);
  }
  Result<json::Value> approve(const krm::ObjectKey& key, const packages::Actor& actor) override {
    return below_.approve(key, actor);
  }
  Result<json::Value> reject(const krm::ObjectKey& key, const packages::Actor& actor) override {
    return below_.reject(key, actor);
  }
  Result<json::Value> propose_deletion(const krm::ObjectKey& key,
                                       const packages::Actor& actor) override {
    return below_.propose_deletion(key, actor);
  }
  Result<Done> remove(const krm::ObjectKey& key, const packages::Actor& actor) override {
    return below_.remove(key, actor);
  }
  Result<Done> check(const json::Value& repository, const json::Value& secret) override {
    return below_.check(repository, secret);
  }
  Result<packages::Synced> sync(const json::Value& repository) override {
    return below_.sync(repository);
  }
  Result<Done> forget(const std::string& ns, const std::string& repository) override {
    return below_.forget(ns, repository);
  }

 protected:
  packages::PackageStore& below_;
};

}  // namespace portico::controllers
