#include "controllers/variant.h"

#include <algorithm>

#include "api/kinds.h"
#include "base/tracer.h"
#include "base/world_error.h"
#include "controllers/events.h"
#include "controllers/retry.h"
#include "controllers/variant_execute.h"
#include "controllers/variant_request.h"

namespace portico::controllers {

using json::Value;

namespace {

// A variant created by a user has no finalizer yet. Without one its revisions would be orphaned on
// deletion.
Result<bool> add_finalizer(registry::Registry& registry, const krm::ObjectKey& key,
                           const api::PackageVariant& variant) {
  const auto& finalizers = variant.metadata.finalizers;
  if (variant.metadata.deleting() ||
      std::find(finalizers.begin(), finalizers.end(), api::kVariantFinalizer) != finalizers.end())
    return false;
  PORTICO_TRY(const Value stored, registry.get(key));
  std::vector<std::string> with = krm::finalizers_of(stored);
  with.emplace_back(api::kVariantFinalizer);
  PORTICO_DO(registry.commit({{registry::Verb::kUpdate, krm::with_finalizers(stored, with)}}));
  return true;
}

// The Event for an outcome, if any. A repeated error or stall is not recorded again: it counts as
// new only if the conditions changed with it.
std::optional<EventInfo> event_info(const variants::VariantOutcome& outcome,
                                    bool conditions_moved) {
  const variants::Step& step = outcome.decision.step;
  const std::string name = variants::name(step);
  if (outcome.error) {
    if (!conditions_moved) return std::nullopt;
    return EventInfo{true, name + "Failed", outcome.error->text()};
  }
  if (const auto* stall = std::get_if<variants::Stall>(&step))
    return conditions_moved ? std::optional(EventInfo{true, stall->reason, stall->message})
                            : std::nullopt;
  if (std::holds_alternative<variants::WaitForReview>(step) ||
      std::holds_alternative<variants::Suspended>(step))
    return conditions_moved ? std::optional(EventInfo{false, name, outcome.decision.reason})
                            : std::nullopt;
  if (variants::ends(step)) return std::nullopt;
  if (!outcome.built) return EventInfo{false, name, outcome.decision.reason};
  // The build produced a tree that exists already.
  if (!outcome.built->tree.empty()) return std::nullopt;
  return EventInfo{false, name,
                   fmt::format("{}: {}", outcome.built->revision, outcome.decision.reason)};
}

// If a repository does not answer, one variant probes it for all; its failures count for all of
// them.
std::optional<api::Retry> retry_of(const variants::VariantSnapshot& snapshot,
                                   const variants::VariantOutcome& outcome, const World& world,
                                   const work::Run& run) {
  const std::optional<api::Retry>& before = snapshot.variant->status.retry;
  const Error* const error = outcome.error ? &*outcome.error : nullptr;
  const std::string& ns = snapshot.variant->metadata.ns;
  const auto& downstream = snapshot.variant->spec.downstream;
  const int silent = downstream ? world.repository_health.failures(ns, downstream->repo) : 0;
  if (silent == 0 || error == nullptr || run.id.empty() || remedy_of(*error) != Remedy::kRetry)
    return retry_after(before, error, run, snapshot.now);
  return api::count_failure(before, std::max(silent, run.failures + 1),
                            world.repository_health.wait(ns, downstream->repo), snapshot.now);
}

Result<Done> save(const variants::VariantSnapshot& snapshot, const krm::ObjectKey& key,
                  const variants::VariantOutcome& outcome, const World& world,
                  const work::Run& run) {
  registry::Registry& registry = world.registry;
  api::PackageVariant changed = *snapshot.variant;
  changed.status = variants::variant_status(snapshot, outcome, snapshot.now);
  changed.status.retry = retry_of(snapshot, outcome, world, run);
  const bool moved = changed.status != snapshot.variant->status;
  const auto news =
      event_info(outcome, changed.status.conditions != snapshot.variant->status.conditions);
  if (!moved && !news) return Done{};
  const auto stored = registry.get(key);
  if (!stored)
    return stored.error().code == Code::kNotFound ? Result<Done>(Done{}) : stored.error();
  std::vector<registry::Write> writes;
  if (news) {
    PORTICO_TRY(writes, recording(registry, *stored, *news, snapshot.now, world.events_expire));
  }
  if (moved)
    writes.push_back(
        {registry::Verb::kUpdateStatus, stored->with("status", api::encode(changed)["status"])
                                            .without_at({"metadata", "resourceVersion"})});
  return write_recorded(registry, writes, snapshot.now);
}

// Whether the variant's downstream repository may answer soon.
bool may_pass(const variants::VariantSnapshot& snapshot, const World& world) {
  return world.repository_health.failures(snapshot.variant->metadata.ns,
                                          snapshot.variant->spec.downstream->repo) <=
         work::kFailuresThatPass;
}

work::NextReconcile next_reconcile(const variants::Decision& decision,
                                   const variants::VariantSnapshot& snapshot) {
  if (!decision.next) return {};
  return {std::max(*decision.next - snapshot.now, std::chrono::milliseconds(0))};
}

/// Carries out the decision, unless it writes to a repository that is known not to answer: then
/// `wait` is how long to leave that repository alone.
Executed execute_if_healthy(const variants::VariantSnapshot& snapshot, const World& world,
                            const work::Run& run, std::optional<std::chrono::milliseconds>& wait) {
  variants::Decision decision = variants::decide(snapshot);
  RepositoryHealth::Permit permit;
  const bool writes = request_of(snapshot, decision, world.actor) ||
                      std::holds_alternative<variants::Propose>(decision.step) ||
                      std::holds_alternative<variants::Approve>(decision.step) ||
                      std::holds_alternative<variants::TakeBack>(decision.step);
  if (writes) {
    const std::string& ns = snapshot.variant->metadata.ns;
    const std::string& repository = snapshot.variant->spec.downstream->repo;
    auto entered = world.repository_health.enter(ns, repository);
    if (!entered) {
      wait = world.repository_health.wait(ns, repository);
      return {{std::move(decision), std::move(entered).error(), {}}, {}};
    }
    permit = *std::move(entered);
  }
  packages::Actor actor = world.actor;
  actor.run = run.id;
  if (!writes || Span::current() == nullptr)
    return execute(snapshot, std::move(decision), world.registry, world.packages, world.drafts,
                   actor);
  Span span(fmt::format("step {}", variants::name(decision.step)));
  span.set("portico.reason", decision.reason);
  Executed executed =
      execute(snapshot, std::move(decision), world.registry, world.packages, world.drafts, actor);
  if (const auto& error = executed.outcome.error) span.fail(error->text());
  return executed;
}

}  // namespace

Result<work::NextReconcile> reconcile_variant(const krm::ObjectKey& key, const World& world,
                                              Caches& caches, const work::Run& run) {
  for (int step = 0; step < variants::kMostSteps; ++step) {
    PORTICO_TRY(auto snapshot, observe_variant(key, world.registry, caches, world.clock.now()));
    if (!snapshot) {
      caches.forget(key);
      return work::NextReconcile{};
    }
    PORTICO_TRY(const bool added, add_finalizer(world.registry, key, *snapshot->variant));
    if (added) {
      PORTICO_TRY(snapshot, observe_variant(key, world.registry, caches, world.clock.now()));
      if (!snapshot) return work::NextReconcile{};
    }

    std::optional<std::chrono::milliseconds> wait;
    const Executed executed = execute_if_healthy(*snapshot, world, run, wait);
    const variants::VariantOutcome& outcome = executed.outcome;
    const bool lost_race = outcome.error && outcome.error->code == Code::kConflict &&
                           work::next_after(*outcome.error, run.failures) == work::Next::kAtOnce;
    if (world.observer != nullptr && !lost_race)
      world.observer->variant_reconciled(key, run, *snapshot, outcome,
                                         executed.drafted ? &*executed.drafted : nullptr);
    if (std::holds_alternative<variants::DropFinalizer>(outcome.decision.step) && !outcome.error)
      return work::NextReconcile{};
    // Lost a race: the decision is outdated, so observe again before reporting anything.
    if (lost_race) return *outcome.error;
    // Stopping caused the error; it says nothing about the variant.
    if (outcome.error && world.stopped()) return *outcome.error;

    if (!std::holds_alternative<variants::Keep>(outcome.decision.step)) {
      PORTICO_TRY(auto after, observe_variant(key, world.registry, caches, world.clock.now()));
      if (!after) return work::NextReconcile{};
      snapshot = std::move(after);
    }
    PORTICO_DO(save(*snapshot, key, outcome, world, run));
    if (wait) return work::NextReconcile{.after = wait, .retry = may_pass(*snapshot, world)};
    if (outcome.error) return *outcome.error;
    if (variants::ends(outcome.decision.step)) return next_reconcile(outcome.decision, *snapshot);
  }
  return internal("{}: not finished after {} steps", key.text(), variants::kMostSteps);
}

}  // namespace portico::controllers
