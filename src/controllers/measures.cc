#include "controllers/measures.h"

#include "base/time.h"

namespace portico::controllers {
namespace {

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

const variants::Revision* upgraded_to(const variants::Step& step) {
  if (const auto* fresh = std::get_if<variants::UpgradeNewDraft>(&step)) return &fresh->upstream;
  if (const auto* moved = std::get_if<variants::UpgradeInPlace>(&step)) return &moved->upstream;
  return nullptr;
}

}  // namespace

void Measures::set_reconciled(const krm::ObjectKey& key, const work::Run& run,
                              const variants::SetDecision& decision,
                              const std::vector<variants::FailedAction>& failed) {
  next_.set_reconciled(key, run, decision, failed);
}

void Measures::variant_reconciled(const krm::ObjectKey& key, const work::Run& run,
                                  const variants::VariantSnapshot& snapshot,
                                  const variants::VariantOutcome& outcome,
                                  const drafts::Drafted* drafted) {
  next_.variant_reconciled(key, run, snapshot, outcome, drafted);
  const variants::Step& step = outcome.decision.step;
  meter_.count("portico_variant_steps_total",
               "Steps of variants that were carried out, by outcome.",
               {{"step", variants::name(step)},
                {"outcome", outcome.error ? name(outcome.error->code) : "ok"}},
               1);
  if (drafted == nullptr || outcome.error) return;
  const bool stored = !drafted->object.is_null();
  meter_.count("portico_drafts_total",
               "Builds of drafts, by step and by whether the draft was stored.",
               {{"step", variants::name(step)}, {"stored", stored ? "true" : "false"}}, 1);
  const auto phase = [&](const char* what, std::chrono::nanoseconds took) {
    meter_.took("portico_draft_duration_seconds", "Duration of the parts of building a draft.",
                {{"part", what}}, seconds(took));
  };
  phase("build", drafted->times.build);
  phase("render", drafted->times.render);
  phase("save", drafted->times.save);
  meter_.count("portico_conflicts_total", "Merge conflicts.", {},
               static_cast<double>(drafted->built.conflicts.size()));
  const variants::Revision* const upstream = upgraded_to(step);
  if (upstream == nullptr || !stored) return;
  if (const auto published = parse_rfc3339(upstream->object->status.published_at))
    meter_.took(
        "portico_upgrade_delay_seconds",
        "Time from the publication of an upstream revision to the draft that upgrades to it.", {},
        std::max(0.0, std::chrono::duration<double>(snapshot.now - *published).count()));
}

void Measures::repository_reconciled(const krm::ObjectKey& key, const work::Run& run,
                                     const Error* error) {
  next_.repository_reconciled(key, run, error);
  meter_.count("portico_repository_syncs_total", "Repository syncs, by outcome.",
               {{"outcome", error == nullptr ? "ok" : name(error->code)}}, 1);
}

void Measures::looked(const std::string& pool, const krm::ObjectKey& key, const work::Run& run,
                      const Result<work::NextReconcile>& outcome, std::chrono::nanoseconds took) {
  next_of_pools_.looked(pool, key, run, outcome, took);
  meter_.took("portico_reconcile_duration_seconds",
              "Duration of the reconciliation of one object, by kind and outcome.",
              {{"kind", pool}, {"outcome", outcome ? "ok" : name(outcome.error().code)}},
              seconds(took));
}

std::unique_ptr<Meter::Reading> measure_state(Meter& meter, const Manager& manager,
                                              const RepositoryHealth& repository_health,
                                              const registry::Registry& registry) {
  return meter.on_read([&, written = registry.version()]() mutable {
    for (const work::PoolState& pool : manager.queues()) {
      const auto keys = [&](const char* state, std::size_t count) {
        meter.set("portico_queue_keys", "Objects in a queue, by state.",
                  {{"queue", pool.name}, {"state", state}}, static_cast<double>(count));
      };
      keys("ready", pool.counts.ready);
      keys("scheduled", pool.counts.scheduled);
      keys("failing", pool.counts.failing);
      keys("looking", pool.counts.looking);
      keys("running", pool.counts.running);
      meter.set("portico_queue_lanes", "Lanes of a queue with ready objects.",
                {{"queue", pool.name}}, static_cast<double>(pool.waiting.size()));
      meter.set("portico_queue_workers", "Workers of a queue.", {{"queue", pool.name}},
                pool.workers);
    }
    meter.set("portico_repositories_silent", "Repositories that do not respond.", {},
              static_cast<double>(repository_health.silent().size()));
    const registry::ResourceVersion now = registry.version();
    meter.count("portico_store_writes_total", "Writes of stored objects.", {},
                static_cast<double>(now - written));
    written = now;
  });
}

}  // namespace portico::controllers
