// Forwards to two observers.
#pragma once

#include "controllers/observer.h"

namespace portico::controllers {

/// Forwards each call to both, in order. Both must outlive it.
class Tee : public Observer {
 public:
  Tee(Observer& first, Observer& second) : first_(first), second_(second) {}

  void set_looked_at(const krm::ObjectKey& key, const work::Run& run,
                     const variants::SetDecision& decision,
                     const std::vector<variants::FailedAction>& failed) override {
    first_.set_looked_at(key, run, decision, failed);
    second_.set_looked_at(key, run, decision, failed);
  }
  void variant_looked_at(const krm::ObjectKey& key, const work::Run& run,
                         const variants::VariantSnapshot& snapshot,
                         const variants::VariantOutcome& outcome,
                         const drafts::Drafted* drafted) override {
    first_.variant_looked_at(key, run, snapshot, outcome, drafted);
    second_.variant_looked_at(key, run, snapshot, outcome, drafted);
  }
  void repository_looked_at(const krm::ObjectKey& key, const work::Run& run,
                            const Error* error) override {
    first_.repository_looked_at(key, run, error);
    second_.repository_looked_at(key, run, error);
  }

 private:
  Observer& first_;
  Observer& second_;
};

}  // namespace portico::controllers
