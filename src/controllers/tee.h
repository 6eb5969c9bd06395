// Forwards to two observers.
#pragma once

#include "controllers/observer.h"

namespace portico::controllers {

/// Forwards each call to both, in order. Both must outlive it.
class Tee : public Observer {
 public:
  Tee(Observer& first, Observer& second) : first_(first), second_(second) {}

  void set_reconciled(const krm::ObjectKey& key, const work::Run& run,
                      const variants::SetDecision& decision,
                      const std::vector<variants::FailedAction>& failed) override {
    first_.set_reconciled(key, run, decision, failed);
    second_.set_reconciled(key, run, decision, failed);
  }
  void variant_reconciled(const krm::ObjectKey& key, const work::Run& run,
                          const variants::VariantSnapshot& snapshot,
                          const variants::VariantOutcome& outcome,
                          const drafts::Drafted* drafted) override {
    first_.variant_reconciled(key, run, snapshot, outcome, drafted);
    second_.variant_reconciled(key, run, snapshot, outcome, drafted);
  }
  void repository_reconciled(const krm::ObjectKey& key, const work::Run& run,
                             const Error* error) override {
    first_.repository_reconciled(key, run, error);
    second_.repository_reconciled(key, run, error);
  }

 private:
  Observer& first_;
  Observer& second_;
};

}  // namespace portico::controllers
