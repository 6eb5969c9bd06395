// The controllers' progress with the variants, for a progress line.
#pragma once

#include <chrono>
#include <set>
#include <string>
#include <string_view>

#include "base/guarded.h"
#include "controllers/manager.h"
#include "controllers/observer.h"
#include "json/value.h"
#include "registry/registry.h"
#include "terminal/terminal.h"

namespace portico::engine {

struct FleetProgress {
  std::size_t variants = 0;  // stored
  std::size_t settled = 0;   // of them: no work is left for them now
  std::size_t failing = 0;   // of them: waiting for a retry or a change
  std::size_t drafts = 0;    // created since the work began
  /// For all kinds: objects that were reconciled, and objects that are queued.
  std::size_t looked = 0, waiting = 0;
};

json::Value to_json(const FleetProgress& standing);
/// The inverse; missing fields are 0.
FleetProgress standing_from_json(const json::Value& value);

/// Draws a progress bar: settled variants of all, or reconciled objects if there are no variants.
void draw(const FleetProgress& standing, std::string_view what, terminal::Terminal& terminal);

/// "480 of 500 variants settled, 35 drafts made, 2 failing in 14 s", for finished work.
std::string summary(const FleetProgress& standing, std::chrono::steady_clock::duration time);

/// Counts what the controllers do to variants. Thread-safe.
class ProgressCounter : public controllers::Observer {
 public:
  void set_reconciled(const krm::ObjectKey&, const work::Run&, const variants::SetDecision&,
                      const std::vector<variants::FailedAction>&) override {}
  void variant_reconciled(const krm::ObjectKey& key, const work::Run& run,
                          const variants::VariantSnapshot& snapshot,
                          const variants::VariantOutcome& outcome,
                          const drafts::Drafted* drafted) override;
  void repository_reconciled(const krm::ObjectKey&, const work::Run&, const Error*) override {}

  /// The current progress; `drafts_before` are not counted. Cheap: one list with limit 1, and the
  /// queues.
  FleetProgress standing(const registry::Registry& registry, const controllers::Manager& manager,
                         std::size_t drafts_before = 0) const;
  std::size_t drafts() const;

 private:
  struct Counts {
    std::set<krm::ObjectKey> failing;
    std::size_t drafts = 0;
  };
  Guarded<Counts> counts_;
};

}  // namespace portico::engine
