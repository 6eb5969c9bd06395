// Logs what the controllers do: one line for each noteworthy step or error.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "base/guarded.h"
#include "base/log.h"
#include "controllers/observer.h"
#include "controllers/repository_health.h"
#include "work/worker_pool.h"

namespace portico::controllers {

/// Logs the steps of variants and sets, conflicts, failures and recoveries. An error is logged once
/// until its object has recovered, however often it recurs. What changes nothing is logged at level
/// debug. A repository that does not answer is logged once, for the Repository; its variants log at
/// level debug. Thread-safe; all arguments must outlive it.
class ActionLogger : public Observer, public work::PoolObserver {
 public:
  /// `stopped`: returns true during shutdown; errors are then not logged, because stopping causes
  /// them.
  ActionLogger(
      Log& log, const RepositoryHealth& repository_health,
      std::function<bool()> stopped = [] { return false; })
      : log_(log), reach_(repository_health), stopped_(std::move(stopped)) {}

  void set_reconciled(const krm::ObjectKey& key, const work::Run& run,
                      const variants::SetDecision& decision,
                      const std::vector<variants::FailedAction>& failed) override;
  void variant_reconciled(const krm::ObjectKey& key, const work::Run& run,
                          const variants::VariantSnapshot& snapshot,
                          const variants::VariantOutcome& outcome,
                          const drafts::Drafted* drafted) override;
  void repository_reconciled(const krm::ObjectKey& key, const work::Run& run,
                             const Error* error) override;
  void looked(const std::string& pool, const krm::ObjectKey& key, const work::Run& run,
              const Result<work::NextReconcile>& outcome, std::chrono::nanoseconds took) override;

 private:
  struct Trouble {
    std::set<std::string> told;  // texts already logged
    LogLevel level = LogLevel::kDebug;
    bool of_pool = false;  // only the pool reported it
  };
  struct Words {
    const char* fails;
    const char* recovers;
  };
  static Words words_of(const krm::ObjectKey& key);

  /// `reason`: an error code or the reason of a stall.
  void fails(const krm::ObjectKey& key, const work::Run& run, LogLevel level,
             const std::string& reason, const std::string& error, bool of_pool = false);
  void goes_on(const krm::ObjectKey& key, const work::Run& run, bool of_pool = false);
  void forget(const krm::ObjectKey& key);

  Log& log_;
  const RepositoryHealth& reach_;
  const std::function<bool()> stopped_;
  Guarded<std::map<krm::ObjectKey, Trouble>> troubles_;
};

}  // namespace portico::controllers
