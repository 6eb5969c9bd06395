// Records what the controllers do.
#pragma once

#include <cstddef>
#include <deque>
#include <set>
#include <variant>

#include "base/guarded.h"
#include "controllers/observer.h"
#include "controllers/plan.h"
#include "registry/registry.h"

namespace portico::controllers {

/// Thread-safe.
class Journal : public Observer {
 public:
  struct Options {
    /// Keep package contents, for callers that show their differences.
    bool contents = false;
    /// If set, entries are marked with its current version, for plan(since). May be null; must
    /// outlive this object.
    const registry::Registry* registry = nullptr;
    /// The maximum number of entries; the oldest are dropped first. 0: unlimited.
    std::size_t most = 0;
  };
  explicit Journal(Options options) : options_(options) {}

  void set_reconciled(const krm::ObjectKey& key, const work::Run& run,
                      const variants::SetDecision& decision,
                      const std::vector<variants::FailedAction>& failed) override;
  void variant_reconciled(const krm::ObjectKey& key, const work::Run& run,
                          const variants::VariantSnapshot& snapshot,
                          const variants::VariantOutcome& outcome,
                          const drafts::Drafted* drafted) override;
  void repository_reconciled(const krm::ObjectKey&, const work::Run&, const Error*) override {}

  /// Everything done so far except errors; with `since`, what was done after the registry was at
  /// that version. Of a step tried several times only the last failure is included, and none that a
  /// later try overcame.
  Plan plan(registry::ResourceVersion since = 0) const;

 private:
  /// The outcome of reconciling a set or a variant. Only the key if the variant has nothing (more)
  /// to report.
  struct Look {
    registry::ResourceVersion version = 0;
    std::variant<PlannedSet, PlannedVariant, krm::ObjectKey> what;
  };
  struct Entries {
    std::deque<Look> looks;
    std::set<krm::ObjectKey> open;  // variants that could not proceed at the last reconcile
  };
  void add(Look look);

  const Options options_;
  Guarded<Entries> entries_;
};

}  // namespace portico::controllers
