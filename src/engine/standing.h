// How far the controllers are with the variants: what a progress line says.
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

struct Standing {
  std::size_t variants = 0;  // that are stored
  std::size_t settled = 0;   // of them: nothing is left to do for them now
  std::size_t failing = 0;   // of them: they wait for another try, or for a change
  std::size_t drafts = 0;    // that were made since the work began
  /// Of all kinds: objects that were looked at, and that are to be.
  std::size_t looked = 0, waiting = 0;
};

json::Value to_json(const Standing& standing);
/// The inverse; what is missing is 0.
Standing standing_from_json(const json::Value& value);

/// Draws the bar of it: variants that are settled of all, or objects looked at where there is no
/// variant.
void draw(const Standing& standing, std::string_view what, terminal::Terminal& terminal);

/// "480 of 500 variants settled, 35 drafts made, 2 failing in 14 s", of work that is over.
std::string summary(const Standing& standing, std::chrono::steady_clock::duration time);

/// Counts what the controllers do to variants. Safe from any thread.
class Tally : public controllers::Observer {
 public:
  void set_looked_at(const krm::ObjectKey&, const work::Run&, const variants::SetDecision&,
                     const std::vector<variants::FailedAction>&) override {}
  void variant_looked_at(const krm::ObjectKey& key, const work::Run& run,
                         const variants::VariantSnapshot& snapshot,
                         const variants::VariantOutcome& outcome,
                         const drafts::Drafted* drafted) override;
  void repository_looked_at(const krm::ObjectKey&, const work::Run&, const Error*) override {}

  /// Now; `drafts_before` are not counted. Reads little: the size of one list, and the queues.
  Standing standing(const registry::Registry& registry, const controllers::Manager& manager,
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
