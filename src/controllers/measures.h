// Tells the meter what the controllers do: numbers for whoever watches Portico from outside.
#pragma once

#include "base/meter.h"
#include "controllers/manager.h"
#include "controllers/observer.h"
#include "controllers/reach.h"
#include "work/worker_pool.h"

namespace portico::controllers {

/// Counts what it hears and hands it on to the next ones. Safe from any thread; what it is given
/// must outlive it.
class Measures : public Observer, public work::PoolObserver {
 public:
  Measures(Meter& meter, Observer& next, work::PoolObserver& next_of_pools)
      : meter_(meter), next_(next), next_of_pools_(next_of_pools) {}

  void set_looked_at(const krm::ObjectKey& key, const work::Run& run,
                     const variants::SetDecision& decision,
                     const std::vector<variants::FailedAction>& failed) override;
  void variant_looked_at(const krm::ObjectKey& key, const work::Run& run,
                         const variants::VariantSnapshot& snapshot,
                         const variants::VariantOutcome& outcome,
                         const drafts::Drafted* drafted) override;
  void repository_looked_at(const krm::ObjectKey& key, const work::Run& run,
                            const Error* error) override;
  void looked(const std::string& pool, const krm::ObjectKey& key, const work::Run& run,
              const Result<work::NextLook>& outcome, std::chrono::nanoseconds took) override;

 private:
  Meter& meter_;
  Observer& next_;
  work::PoolObserver& next_of_pools_;
};

/// Sets what is only known by asking, as long as what is handed back is kept: queues, repositories
/// that do not answer, writes to the store since now. All must outlive it.
std::unique_ptr<Meter::Reading> measure_state(Meter& meter, const Manager& manager,
                                              const Reach& reach,
                                              const registry::Registry& registry);

}  // namespace portico::controllers
