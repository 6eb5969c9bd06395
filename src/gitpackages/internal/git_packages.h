// The class behind git_packages.h; implemented in git_packages_*.cc.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "gitpackages/git_packages.h"
#include "gitpackages/internal/single_flight.h"
#include "gitpackages/repositories.h"
#include "packages/lifecycle.h"

namespace portico::gitpackages {

using packages::Actor;
using packages::Synced;

/// The precondition for writing a Repository's contents: that it is still the same object. Nullopt
/// for a Repository that is not stored.
std::optional<registry::Precondition> only_of(const Home& home);

class GitPackages : public packages::PackageStore {
 public:
  explicit GitPackages(const Options& options)
      : registry_(options.registry),
        clock_(options.clock),
        log_(options.log),
        repositories_(options) {}

  Result<std::shared_ptr<const krm::Package>> read(const json::Value& package_revision) override;
  Result<std::shared_ptr<const krm::Package>> read_some(const json::Value& package_revision,
                                                        const krm::WantedPath& wanted) override;
  Result<std::shared_ptr<const krm::Package>> read_at(const std::string& ns,
                                                      const std::string& repository,
                                                      const std::string& package,
                                                      const std::string& commit) override;
  Result<std::optional<packages::Pristine>> pristine_of(
      const json::Value& package_revision) override;
  Result<std::vector<packages::Change>> history(const json::Value& package_revision,
                                                std::size_t most) override;
  Result<std::vector<packages::Change>> log(const json::Value& package_revision,
                                            std::size_t most) override;
  Result<json::Value> save(const packages::SaveRequest& request) override;
  Result<json::Value> propose(const krm::ObjectKey& key, const Actor& actor) override;
  Result<json::Value> approve(const krm::ObjectKey& key, const Actor& actor) override;
  Result<json::Value> reject(const krm::ObjectKey& key, const Actor& actor) override;
  Result<json::Value> propose_deletion(const krm::ObjectKey& key, const Actor& actor) override;
  Result<Done> remove(const krm::ObjectKey& key, const Actor& actor) override;
  Result<Done> check(const json::Value& repository, const json::Value& secret) override;
  Result<Synced> sync(const json::Value& repository) override;
  Result<Done> forget(const std::string& ns, const std::string& repository) override;

 private:
  /// A stored revision and its repository.
  struct Located {
    json::Value object;
    repo::Revision revision;
    Repositories::Opened home;
  };
  Result<Located> locate(const krm::ObjectKey& key);
  /// The repository of a stored revision, with its commit: fetched if another process pushed it.
  Result<Repositories::Opened> home_of(const json::Value& package_revision,
                                       const repo::Revision& revision);
  /// The first part of every transition: locates the revision and checks that the rules allow it.
  struct Step {
    Located located;
    packages::Outcome does = packages::Outcome::kNothing;
    std::string place;
  };
  Result<Step> begin(packages::Transition transition, const krm::ObjectKey& key,
                     const Actor& actor);

  /// The stored revisions of one package, by name.
  Result<std::vector<json::Value>> siblings(const Located& one) const;

  repo::Signature signature(const Actor& actor) const;
  /// Logs what happened to a revision in git, so that a run or a request can be followed in the
  /// log.
  void say(std::string_view what, const Home& home, const repo::Revision& now,
           const Actor& actor) const;
  /// Passes a result from git through. A conflict means that the store is behind git: syncs first,
  /// so that the next attempt sees the current state. Of many concurrent conflicts, one syncs for
  /// all.
  template <class T>
  Result<T> resync_on_conflict(Result<T> answer, const Home& home) {
    if (!answer && answer.error().code == Code::kConflict) catch_up(home);
    return answer;
  }
  void catch_up(const Home& home);
  /// Commits the result of `writes`; on a conflict calls it again, to compute the writes from the
  /// then current objects. Returns the object of `key` as written.
  Result<json::Value> commit_with_retry(
      const krm::ObjectKey& key,
      const std::function<Result<std::vector<registry::Write>>()>& writes);
  /// Stores the new git state of `located`, and the actor.
  Result<json::Value> record_transition(const Located& located, const repo::Revision& now,
                                        packages::Outcome outcome, const Actor& actor);
  /// Adds writes for the package's branch head, which the publication moved.
  void append_head(std::vector<registry::Write>& writes, const Located& located,
                   const repo::Revision& head, const KptfileFacts& facts,
                   const std::vector<json::Value>& siblings);
  Result<json::Value> publish(const Located& located, const Actor& actor);

  /// A reservation for a new package while it is being drafted: drafts of a package above or below
  /// it fail with kConflict, and find it when they are retried.
  class Reservation {
   public:
    Reservation() = default;
    Reservation(GitPackages* of, std::string place) : of_(of), place_(std::move(place)) {}
    Reservation(Reservation&& other) noexcept
        : of_(std::exchange(other.of_, nullptr)), place_(std::move(other.place_)) {}
    Reservation& operator=(Reservation&& other) noexcept {
      std::swap(of_, other.of_);
      std::swap(place_, other.place_);
      return *this;
    }
    ~Reservation() {
      if (of_ != nullptr)
        of_->drafting_.with([&](auto& places) { places.erase(places.find(place_)); });
    }

   private:
    GitPackages* of_ = nullptr;
    std::string place_;
  };
  Result<Reservation> reserve(const packages::SaveRequest& request);

  /// Adds status.drift to the branch heads in `fresh`, the objects of `revisions`.
  Result<Done> add_drift(const Repositories::Opened& home,
                         const std::vector<repo::Revision>& revisions,
                         const std::vector<bool>& latest, std::vector<json::Value>& fresh) const;

  /// Deletes those of the `created` objects whose revision was removed from git after the sync read
  /// it: the one who removed it found no object to delete, or an earlier one.
  Result<Done> drop_removed(const Repositories::Opened& opened,
                            const std::vector<json::Value>& created);

  Result<Synced> sync_opened(const Repositories::Opened& opened);

  // The steps of save(), in git_packages_save.cc.
  Result<json::Value> store_new(const json::Value& fresh, const Home& home);
  /// Merges the new git state of a draft into its currently stored object.
  Result<json::Value> store_changed(const json::Value& fresh);

  registry::Registry& registry_;
  const Clock& clock_;
  const std::shared_ptr<Log> log_;  // may be null
  Repositories repositories_;
  Guarded<std::map<std::pair<std::string, std::string>, std::shared_ptr<SingleFlight>>>
      catching_up_;
  Guarded<std::multiset<std::string>> drafting_;  // "namespace/repository/package/"
};

}  // namespace portico::gitpackages
