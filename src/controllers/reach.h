// Which repositories answer: what does not is tried by one, not by everybody who needs it.
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

/// A breaker for each repository (work/breaker.h), fed by what the PackageStore answers. Safe from
/// any thread.
class Reach {
 public:
  using Time = std::function<work::Instant()>;
  explicit Reach(work::BackOff back_off = {}, Time now = std::chrono::steady_clock::now)
      : back_off_(back_off), now_(std::move(now)) {}

  /// Leave to use a repository, given back when it is destroyed.
  class Leave {
   public:
    Leave() = default;  // free
    Leave(Reach* of, std::pair<std::string, std::string> repository)
        : of_(of), repository_(std::move(repository)) {}
    Leave(Leave&& other) noexcept
        : of_(std::exchange(other.of_, nullptr)), repository_(std::move(other.repository_)) {}
    Leave& operator=(Leave&& other) noexcept {
      std::swap(of_, other.of_);
      std::swap(repository_, other.repository_);
      return *this;
    }
    ~Leave() {
      if (of_ != nullptr) of_->give_back(repository_);
    }

   private:
    Reach* of_ = nullptr;  // of a probe
    std::pair<std::string, std::string> repository_;
  };
  /// kUnavailable where the repository has not answered and it is not the time, or somebody else's
  /// turn, to try it: with what it said the last time.
  Result<Leave> enter(const std::string& ns, const std::string& repository);
  /// How long until it is worth asking again: when the next probe is due, or, while one is out, a
  /// back-off from now. Zero for a repository that answers.
  std::chrono::milliseconds wait(const std::string& ns, const std::string& repository) const;
  bool answers(const std::string& ns, const std::string& repository) const;
  /// How often in a row it has not answered; 0 for one that answers.
  int failures(const std::string& ns, const std::string& repository) const;
  /// Those that do not answer, with how often in a row, what was said the last time, and when the
  /// next probe is due.
  struct Silent {
    std::string ns, repository, why;
    int failures = 0;
    work::Instant next_probe{};
  };
  std::vector<Silent> silent() const;

  /// What became of a call that needed it. Success and a conflict come from a repository that
  /// answers; kUnavailable does not; anything else, a refusal, too, says nothing.
  void report(const std::string& ns, const std::string& repository, const Error* error);

  /// Called when a repository answers again, from whatever thread finds out, as long as what
  /// on_back() hands back is kept. It may only take note.
  using Back = Listeners<std::string, std::string>;
  using OnBack = Back::Call;  // namespace and repository
  using Listening = Back::Listening;
  std::unique_ptr<Listening> on_back(OnBack call) { return back_.add(std::move(call)); }

 private:
  void give_back(const std::pair<std::string, std::string>& repository);

  struct State {
    std::map<std::pair<std::string, std::string>, work::Breaker> broken;  // of the others: none
    std::uint64_t random = 1;                                             // spreads probes
  };
  const work::BackOff back_off_;
  const Time now_;
  Guarded<State> state_;
  Back back_;
};

/// `below`, with what its repositories answer to writes and syncs reported to `reach`: what is read
/// comes from mirrors and tells nothing. All must outlive it.
std::unique_ptr<packages::PackageStore> reporting_to(Reach& reach,
                                                     const registry::Registry& registry,
                                                     packages::PackageStore& below);

}  // namespace portico::controllers
