// Collects what the controllers do.
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

/// Safe from any thread.
class Journal : public Observer {
 public:
  struct Options {
    /// Contents of packages are kept where somebody will look at their differences.
    bool contents = false;
    /// What is told is marked with its version then, for plan(since). May be null; outlives this.
    const registry::Registry* registry = nullptr;
    /// How much is kept: what was told first goes first. 0: everything.
    std::size_t most = 0;
  };
  explicit Journal(Options options) : options_(options) {}

  void set_looked_at(const krm::ObjectKey& key, const work::Run& run,
                     const variants::SetDecision& decision,
                     const std::vector<variants::FailedAction>& failed) override;
  void variant_looked_at(const krm::ObjectKey& key, const work::Run& run,
                         const variants::VariantSnapshot& snapshot,
                         const variants::VariantOutcome& outcome,
                         const drafts::Drafted* drafted) override;
  void repository_looked_at(const krm::ObjectKey&, const work::Run&, const Error*) override {}

  /// What was done up to now, without errors; with `since` what was done after the registry was at
  /// that version. Of what was tried several times only the last failure is told, and none that was
  /// got over.
  Plan plan(registry::ResourceVersion since = 0) const;

 private:
  /// A look at a set or a variant. Of a variant that has nothing to tell (any more) only the key.
  struct Look {
    registry::ResourceVersion version = 0;
    std::variant<PlannedSet, PlannedVariant, krm::ObjectKey> what;
  };
  struct Entries {
    std::deque<Look> looks;
    std::set<krm::ObjectKey> open;  // variants whose last look could not go on
  };
  void add(Look look);

  const Options options_;
  Guarded<Entries> entries_;
};

}  // namespace portico::controllers
