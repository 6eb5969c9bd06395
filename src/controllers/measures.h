// Reports the controllers' activity as metrics.
#pragma once

#include "base/meter.h"
#include "controllers/manager.h"
#include "controllers/observer.h"
#include "controllers/repository_health.h"
#include "work/worker_pool.h"

namespace portico::controllers {

/// Counts the calls it receives and forwards them to `next` and `next_of_pools`. Thread-safe; all
/// arguments must outlive it.
class Measures : public Observer, public work::PoolObserver {
 public:
  Measures(Meter& meter, Observer& next, work::PoolObserver& next_of_pools)
      : meter_(meter), next_(next), next_of_pools_(next_of_pools) {}

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
  Meter& meter_;
  Observer& next_;
  work::PoolObserver& next_of_pools_;
};

/// Reads, while the returned object is kept, the values that have to be polled: queues,
/// repositories that do not answer, writes to the store since now. All arguments must outlive it.
std::unique_ptr<Meter::Reading> measure_state(Meter& meter, const Manager& manager,
                                              const RepositoryHealth& repository_health,
                                              const registry::Registry& registry);

}  // namespace portico::controllers
