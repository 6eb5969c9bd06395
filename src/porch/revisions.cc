#include <utility>

#include "api/kinds.h"
#include "http/escape.h"
#include "krm/package_json.h"
#include "packages/lifecycle.h"
#include "packages/wire.h"
#include "porch/internal/paths.h"
#include "porch/internal/resources.h"
#include "porch/porch.h"
#include "porch/refusals.h"
#include "registry/no_object.h"

namespace portico::porch {

using json::Value;
using packages::Actor;
using packages::Transition;

namespace {

constexpr int kMostTries = 10;  // for a transition without decided_on

class RemoteRevisions : public packages::Revisions {
 public:
  explicit RemoteRevisions(cluster::Api& api) : api_(api) {}

  Result<std::shared_ptr<const krm::Package>> read(const Value& revision) override {
    const auto files = get(revision, "content");
    if (!files && files.error().code == Code::kNotFound) return read_resources(api_, revision);
    if (!files) return files.error();
    return package_of(*files);
  }

  Result<std::shared_ptr<const krm::Package>> read_some(const Value& revision,
                                                        const krm::WantedPath& wanted) override {
    PORTICO_TRY(const auto whole, read(revision));
    return only_wanted(*whole, wanted);
  }

  Result<std::shared_ptr<const krm::Package>> read_at(const std::string& ns,
                                                      const std::string& repository,
                                                      const std::string& package,
                                                      const std::string& commit) override {
    http::Query query;
    query.add("repository", repository);
    query.add("package", package);
    query.add("commit", commit);
    PORTICO_TRY(const Value files,
                api_.call("GET", portico_path(ns, {"contents"}) + "?" + query.text(), Value()));
    return package_of(files);
  }

  Result<std::optional<packages::Pristine>> pristine_of(const Value& revision) override {
    PORTICO_TRY(const Value found, get(revision, "pristine"));
    return packages::pristine_from_json(found);
  }

  Result<std::vector<packages::Change>> history(const Value& revision, std::size_t most) override {
    return changes(revision, "history", most);
  }
  Result<std::vector<packages::Change>> log(const Value& revision, std::size_t most) override {
    return changes(revision, "log", most);
  }

  Result<Value> propose(const krm::ObjectKey& key, const Actor& actor) override {
    return move(key, actor, Transition::kPropose);
  }
  Result<Value> approve(const krm::ObjectKey& key, const Actor& actor) override {
    return move(key, actor, Transition::kApprove);
  }
  Result<Value> reject(const krm::ObjectKey& key, const Actor& actor) override {
    return move(key, actor, Transition::kReject);
  }
  Result<Value> propose_deletion(const krm::ObjectKey& key, const Actor& actor) override {
    return move(key, actor, Transition::kProposeDeletion);
  }

  Result<Done> remove(const krm::ObjectKey& key, const Actor& actor) override {
    PORTICO_TRY(const cluster::Resource resource, api_.resource(key.type));
    PORTICO_TRY(const Value now, stored(resource, key));
    PORTICO_DO(outcome(Transition::kDelete, now), key.name);
    Value options = Value::object();
    if (!actor.decided_on.empty())
      options =
          options.with("preconditions", Value::object({{"resourceVersion", actor.decided_on}}));
    if (auto gone = api_.remove(resource, key.ns, key.name, options); !gone)
      return sorted(std::move(gone).error());
    return Done{};
  }

  Result<Done> check(const Value& repository, const Value& secret) override {
    PORTICO_DO(api_.call("POST",
                         portico_path(std::string(krm::namespace_of(repository)),
                                      {"repositories", krm::name_of(repository), "check"}),
                         Value::object({{"repository", repository}, {"secret", secret}})));
    return Done{};
  }

  Result<packages::Synced> sync(const Value& repository) override {
    PORTICO_TRY(const Value synced,
                api_.call("POST",
                          portico_path(std::string(krm::namespace_of(repository)),
                                       {"repositories", krm::name_of(repository), "sync"}),
                          Value::object()));
    return packages::synced_from_json(synced);
  }

  Result<Done> forget(const std::string& ns, const std::string& repository) override {
    PORTICO_DO(api_.call("POST", portico_path(ns, {"repositories", repository, "forget"}),
                         Value::object()));
    return Done{};
  }

 private:
  static Result<std::shared_ptr<const krm::Package>> package_of(const Value& files) {
    PORTICO_TRY(krm::Package package, krm::package_from_json(files));
    return std::make_shared<const krm::Package>(std::move(package));
  }

  Result<Value> stored(const cluster::Resource& resource, const krm::ObjectKey& key) {
    auto object = api_.get(resource, key.ns, key.name);
    if (!object && object.error().code == Code::kNotFound) return registry::no_object(key);
    return object;
  }

  static Result<packages::Outcome> outcome(Transition transition, const Value& object) {
    return packages::outcome(transition, object["spec"]["lifecycle"].as_string(),
                             object["spec"]["revision"].as_int());
  }

  Result<Value> get(const Value& revision, std::string_view what, const std::string& query = "") {
    return api_.call("GET",
                     portico_path(std::string(krm::namespace_of(revision)),
                                  {"packagerevisions", krm::name_of(revision), what}) +
                         query,
                     Value());
  }

  Result<std::vector<packages::Change>> changes(const Value& revision, std::string_view what,
                                                std::size_t most) {
    PORTICO_TRY(const Value found, get(revision, what, fmt::format("?limit={}", most)));
    return packages::changes_from_json(found);
  }

  // Checks the rules first, so that a forbidden transition gets the same message as without a
  // server.
  Result<Value> move(const krm::ObjectKey& key, const Actor& actor, Transition transition) {
    PORTICO_TRY(const cluster::Resource resource, api_.resource(key.type));
    for (int attempt = 1;; ++attempt) {
      PORTICO_TRY(const Value now, stored(resource, key));
      PORTICO_TRY(const packages::Outcome will, outcome(transition, now));
      if (will == packages::Outcome::kNothing) return now;
      Value wanted = now.with_at({"spec", "lifecycle"}, lifecycle_after(will));
      if (!actor.decided_on.empty())
        wanted = wanted.with_at({"metadata", "resourceVersion"}, actor.decided_on);
      const bool approving =
          transition == Transition::kApprove || transition == Transition::kReject;
      auto moved = api_.update(resource, wanted, approving ? "approval" : "");
      if (!moved) moved = sorted(std::move(moved).error());
      if (moved || attempt == kMostTries || !actor.decided_on.empty() ||
          moved.error().code != Code::kConflict)
        return moved;
      const auto after = api_.get(resource, key.ns, key.name);
      if (!after || (*after)["metadata"]["resourceVersion"] == now["metadata"]["resourceVersion"])
        return moved;
    }
  }

  static std::string_view lifecycle_after(packages::Outcome outcome) {
    switch (outcome) {
      case packages::Outcome::kProposed:
        return api::kProposed;
      case packages::Outcome::kDraft:
        return api::kDraft;
      case packages::Outcome::kDeletionProposed:
        return api::kDeletionProposed;
      default:
        return api::kPublished;
    }
  }

  cluster::Api& api_;
};

}  // namespace

std::unique_ptr<packages::Revisions> make_revisions(cluster::Api& api) {
  return std::make_unique<RemoteRevisions>(api);
}

}  // namespace portico::porch
