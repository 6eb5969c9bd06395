#include "controllers/repository_health.h"

#include <algorithm>

#include "api/kinds.h"
#include "base/log.h"
#include "base/secrets.h"
#include "base/world_error.h"
#include "packages/unstored.h"

namespace portico::controllers {

using work::Breaker;

Result<RepositoryHealth::Permit> RepositoryHealth::enter(const std::string& ns,
                                                         const std::string& repository) {
  const std::pair key(ns, repository);
  const work::Instant now = now_();
  return state_.with([&](State& state) -> Result<Permit> {
    const auto at = state.broken.find(key);
    if (at == state.broken.end()) return Permit();
    switch (at->second.enter(now)) {
      case Breaker::Pass::kFree:
        return Permit();
      case Breaker::Pass::kProbe:
        return Permit(this, key);
      case Breaker::Pass::kNone:
        break;
    }
    return unavailable("repository \"{}\" does not answer: {}", repository, at->second.why());
  });
}

void RepositoryHealth::give_back(const std::pair<std::string, std::string>& repository) {
  state_.with([&](State& state) {
    if (const auto at = state.broken.find(repository); at != state.broken.end())
      at->second.did_not_try();
  });
}

std::chrono::milliseconds RepositoryHealth::wait(const std::string& ns,
                                                 const std::string& repository) const {
  using std::chrono::milliseconds;
  const work::Instant now = now_();
  return state_.with([&](const State& state) {
    const auto at = state.broken.find({ns, repository});
    if (at == state.broken.end()) return milliseconds(0);
    const auto left = std::chrono::ceil<milliseconds>(at->second.next_probe() - now);
    if (left.count() > 0) return left;
    return std::chrono::ceil<milliseconds>(back_off_.after(at->second.failures(), 0));
  });
}

bool RepositoryHealth::answers(const std::string& ns, const std::string& repository) const {
  return state_.with([&](const State& state) { return !state.broken.contains({ns, repository}); });
}

int RepositoryHealth::failures(const std::string& ns, const std::string& repository) const {
  return state_.with([&](const State& state) {
    const auto at = state.broken.find({ns, repository});
    return at == state.broken.end() ? 0 : at->second.failures();
  });
}

std::vector<RepositoryHealth::Silent> RepositoryHealth::silent() const {
  return state_.with([](const State& state) {
    std::vector<Silent> out;
    for (const auto& [key, breaker] : state.broken)
      out.push_back(
          {key.first, key.second, breaker.why(), breaker.failures(), breaker.next_probe()});
    return out;
  });
}

void RepositoryHealth::report(const std::string& ns, const std::string& repository,
                              const Error* error) {
  if (error != nullptr && packages::is_unstored(*error)) return;  // the repository did answer
  const std::pair key(ns, repository);
  const bool fails =
      error != nullptr && error->code == Code::kUnavailable && remedy_of(*error) == Remedy::kRetry;
  if (error != nullptr && !fails && error->code != Code::kConflict) return;
  const work::Instant now = now_();
  const bool is_back = state_.with([&](State& state) {
    if (!fails) return state.broken.erase(key) > 0;
    state.random = state.random * 6364136223846793005u + 1442695040888963407u;
    const double jitter = static_cast<double>(state.random >> 11) / 9007199254740992.0;
    state.broken.try_emplace(key, back_off_)
        .first->second.failed(now, jitter, without_secrets(error->text()));
    return false;
  });
  if (is_back) back_.notify(ns, repository);
}

void RepositoryHealth::forget(const std::string& ns, const std::string& repository) {
  state_.with([&](State& state) { state.broken.erase({ns, repository}); });
}

namespace {

using json::Value;
using packages::Actor;

bool is_stored(const registry::Registry& registry, const std::string& ns,
               const std::string& repository) {
  const auto stored = registry.get(
      {{std::string(api::kConfigGroup), std::string(api::kRepositoryKind)}, ns, repository});
  return stored || stored.error().code != Code::kNotFound;
}

class Reporting : public packages::PackageStore {
 public:
  Reporting(RepositoryHealth& repository_health, const registry::Registry& registry,
            packages::PackageStore& below)
      : reach_(repository_health), registry_(registry), below_(below) {}

  Result<std::shared_ptr<const krm::Package>> read(const Value& revision) override {
    return below_.read(revision);
  }
  Result<std::shared_ptr<const krm::Package>> read_some(const Value& revision,
                                                        const krm::WantedPath& wanted) override {
    return below_.read_some(revision, wanted);
  }
  Result<std::shared_ptr<const krm::Package>> read_at(const std::string& ns,
                                                      const std::string& repository,
                                                      const std::string& package,
                                                      const std::string& commit) override {
    return below_.read_at(ns, repository, package, commit);
  }
  Result<std::optional<packages::Pristine>> pristine_of(const Value& revision) override {
    return below_.pristine_of(revision);
  }
  Result<std::vector<packages::Change>> history(const Value& revision, std::size_t most) override {
    return below_.history(revision, most);
  }
  Result<std::vector<packages::Change>> log(const Value& revision, std::size_t most) override {
    return below_.log(revision, most);
  }
  Result<Value> save(const packages::SaveRequest& request) override {
    return told(request.ns, request.repository, below_.save(request));
  }
  Result<Value> propose(const krm::ObjectKey& key, const Actor& actor) override {
    return told(key, below_.propose(key, actor));
  }
  Result<Value> approve(const krm::ObjectKey& key, const Actor& actor) override {
    return told(key, below_.approve(key, actor));
  }
  Result<Value> reject(const krm::ObjectKey& key, const Actor& actor) override {
    return told(key, below_.reject(key, actor));
  }
  Result<Value> propose_deletion(const krm::ObjectKey& key, const Actor& actor) override {
    return told(key, below_.propose_deletion(key, actor));
  }
  Result<Done> remove(const krm::ObjectKey& key, const Actor& actor) override {
    return told(key, below_.remove(key, actor));
  }
  // Nothing is stored yet, so there is no Repository to report for.
  Result<Done> check(const Value& repository, const Value& secret) override {
    return below_.check(repository, secret);
  }
  Result<packages::Synced> sync(const Value& repository) override {
    return told(std::string(krm::namespace_of(repository)), std::string(krm::name_of(repository)),
                below_.sync(repository));
  }
  Result<Done> forget(const std::string& ns, const std::string& repository) override {
    return told(ns, repository, below_.forget(ns, repository));
  }

 private:
  template <class T>
  Result<T> told(const std::string& ns, const std::string& repository, Result<T> answer) {
    reach_.report(ns, repository, answer ? nullptr : &std::as_const(answer).error());
    // A write can outlast its Repository. Looked up after the report: a Repository that is deleted
    // later is forgotten by forget() below.
    if (!answer && !is_stored(registry_, ns, repository)) reach_.forget(ns, repository);
    return answer;
  }
  template <class T>
  Result<T> told(const krm::ObjectKey& revision, Result<T> answer) {
    const auto stored = registry_.get(revision);  // fails if it was removed
    if (!stored) return answer;
    return told(revision.ns, std::string((*stored)["spec"]["repository"].as_string()),
                std::move(answer));
  }

  RepositoryHealth& reach_;
  const registry::Registry& registry_;
  packages::PackageStore& below_;
};

}  // namespace

std::unique_ptr<packages::PackageStore> reporting_to(RepositoryHealth& repository_health,
                                                     const registry::Registry& registry,
                                                     packages::PackageStore& below) {
  return std::make_unique<Reporting>(repository_health, registry, below);
}

}  // namespace portico::controllers
