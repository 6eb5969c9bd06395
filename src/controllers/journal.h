// Collects what the controllers do.
#pragma once

#include <map>

#include "base/guarded.h"
#include "controllers/observer.h"
#include "controllers/plan.h"

namespace portico::controllers {

/// Safe from any thread.
class Journal : public Observer {
 public:
  /// Contents of packages are kept where somebody will look at their differences.
  explicit Journal(bool with_contents) : with_contents_(with_contents) {}

  void set_looked_at(const krm::ObjectKey& key, const work::Run& run,
                     const variants::SetDecision& decision,
                     const std::vector<variants::FailedAction>& failed) override;
  void variant_looked_at(const krm::ObjectKey& key, const work::Run& run,
                         const variants::VariantSnapshot& snapshot,
                         const variants::VariantOutcome& outcome,
                         const drafts::Drafted* drafted) override;
  void repository_looked_at(const krm::ObjectKey&, const work::Run&, const Error*) override {}

  /// What was done up to now, without errors. Of what was tried several times only the last
  /// failure is told, and none that was got over.
  Plan plan() const;

 private:
  struct Variant {
    std::vector<PlannedVariant> steps;
    std::optional<PlannedVariant> end;  // the last look, where it could not go on
  };
  struct Entries {
    std::map<krm::ObjectKey, PlannedSet> sets;
    std::map<krm::ObjectKey, Variant> variants;
  };
  const bool with_contents_;
  Guarded<Entries> entries_;
};

}  // namespace portico::controllers
