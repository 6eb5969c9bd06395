// Tracks which repositories answer. One that does not is probed by one caller at a time, instead of
// by all who need it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/listeners.h"
#include "base/result.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "work/breaker.h"

namespace portico::controllers {

/// A circuit breaker for each repository (work/breaker.h), fed with the results of PackageStore
/// calls. Thread-safe.
class RepositoryHealth {
 public:
  using Time = std::function<work::Instant()>;
  explicit RepositoryHealth(work::BackOff back_off = {}, Time now = std::chrono::steady_clock::now)
      : back_off_(back_off), now_(std::move(now)) {}

  /// Permission to use a repository, returned on destruction.
  class Permit {
   public:
    Permit() = default;  // permission that is not tracked
    Permit(RepositoryHealth* of, std::pair<std::string, std::string> repository)
        : of_(of), repository_(std::move(repository)) {}
    Permit(Permit&& other) noexcept
        : of_(std::exchange(other.of_, nullptr)), repository_(std::move(other.repository_)) {}
    Permit& operator=(Permit&& other) noexcept {
      std::swap(of_, other.of_);
      std::swap(repository_, other.repository_);
      return *this;
    }
    ~Permit() {
      if (of_ != nullptr) of_->give_back(repository_);
    }

   private:
    RepositoryHealth* of_ = nullptr;  // set for a probe only
    std::pair<std::string, std::string> repository_;
  };
  /// kUnavailable, with the last error, if the repository does not answer and no probe is due or
  /// another caller is probing it.
  Result<Permit> enter(const std::string& ns, const std::string& repository);
  /// How long until another attempt makes sense: until the next probe is due or, while a probe is
  /// running, one back-off from now. Zero for a repository that answers.
  std::chrono::milliseconds wait(const std::string& ns, const std::string& repository) const;
  bool answers(const std::string& ns, const std::string& repository) const;
  /// The number of consecutive failures to answer; 0 for a repository that answers.
  int failures(const std::string& ns, const std::string& repository) const;
  /// The repositories that do not answer, each with the number of consecutive failures, the last
  /// error and the time of the next probe.
  struct Silent {
    std::string ns, repository, why;
    int failures = 0;
    work::Instant next_probe{};
  };
  std::vector<Silent> silent() const;

  /// Reports the result of a call that needed the repository. Success or a conflict proves that it
  /// answers; kUnavailable that it does not; any other error, including a refusal, proves nothing.
  void report(const std::string& ns, const std::string& repository, const Error* error);
  /// Drops what is known of a repository whose Repository is deleted; nobody is called.
  void forget(const std::string& ns, const std::string& repository);

  /// Called when a repository answers again, from the thread that finds out, while the return value
  /// of on_back() is kept. The callback must only record the fact.
  using Back = Listeners<std::string, std::string>;
  using OnBack = Back::Call;  // namespace and repository
  using Listening = Back::Listening;
  std::unique_ptr<Listening> on_back(OnBack call) { return back_.add(std::move(call)); }

 private:
  void give_back(const std::pair<std::string, std::string>& repository);

  struct State {
    std::map<std::pair<std::string, std::string>, work::Breaker> broken;  // silent ones only
    std::uint64_t random = 1;                                             // spreads probes
  };
  const work::BackOff back_off_;
  const Time now_;
  Guarded<State> state_;
  Back back_;
};

/// A wrapper of `below` that reports the results of writes and syncs to `repository_health`. Reads
/// come from mirrors and are not reported, nor are failures of a deleted Repository. All arguments
/// must outlive it.
std::unique_ptr<packages::PackageStore> reporting_to(RepositoryHealth& repository_health,
                                                     const registry::Registry& registry,
                                                     packages::PackageStore& below);

}  // namespace portico::controllers
