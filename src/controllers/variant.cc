#include "controllers/variant.h"

#include <algorithm>

#include "api/kinds.h"
#include "controllers/status.h"
#include "controllers/variant_execute.h"
#include "controllers/variant_request.h"

namespace portico::controllers {

using json::Value;

namespace {

// A variant that a person made has no finalizer yet; without one its revisions would be orphaned.
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

Result<Done> save(const variants::VariantSnapshot& snapshot, const krm::ObjectKey& key,
                  const variants::VariantOutcome& outcome, registry::Registry& registry,
                  TimePoint now) {
  api::PackageVariant changed = *snapshot.variant;
  changed.status = variants::variant_status(snapshot, outcome, now);
  if (changed.status == snapshot.variant->status) return Done{};
  const auto stored = registry.get(key);
  if (!stored)
    return stored.error().code == Code::kNotFound ? Result<Done>(Done{}) : stored.error();
  return write_status(registry, *stored, api::encode(changed)["status"]);
}

/// The decision carried out, unless the repository that it writes to is known not to answer: then
/// `wait` is how long it is to be left alone.
variants::VariantOutcome execute_within_reach(const variants::VariantSnapshot& snapshot,
                                              registry::Registry& registry,
                                              packages::PackageStore& packages,
                                              drafts::Drafts& drafts, Reach& reach,
                                              const packages::Actor& actor,
                                              std::optional<std::chrono::milliseconds>& wait) {
  variants::Decision decision = variants::decide(snapshot);
  Reach::Leave leave;
  if (const auto request = request_of(snapshot, decision, actor)) {
    auto entered = reach.enter(request->ns, request->repository);
    if (!entered) {
      wait = reach.wait(request->ns, request->repository);
      return {std::move(decision), std::move(entered).error(), {}};
    }
    leave = *std::move(entered);
  }
  return execute(snapshot, std::move(decision), registry, packages, drafts, actor);
}

}  // namespace

Result<work::NextLook> reconcile_variant(const krm::ObjectKey& key, registry::Registry& registry,
                                         packages::PackageStore& packages, drafts::Drafts& drafts,
                                         Caches& caches, Reach& reach, const Clock& clock,
                                         const packages::Actor& actor) {
  for (int step = 0; step < variants::kMostSteps; ++step) {
    PORTICO_TRY(auto snapshot, observe_variant(key, registry, caches));
    if (!snapshot) {
      caches.forget(key);
      return work::NextLook{};
    }
    PORTICO_TRY(const bool added, add_finalizer(registry, key, *snapshot->variant));
    if (added) {
      PORTICO_TRY(snapshot, observe_variant(key, registry, caches));
      if (!snapshot) return work::NextLook{};
    }

    std::optional<std::chrono::milliseconds> wait;
    const variants::VariantOutcome outcome =
        execute_within_reach(*snapshot, registry, packages, drafts, reach, actor, wait);
    if (std::holds_alternative<variants::DropFinalizer>(outcome.decision.step) && !outcome.error)
      return work::NextLook{};
    // Somebody was quicker: what was decided on is gone, so look again before saying anything.
    if (outcome.error && outcome.error->code == Code::kConflict) return *outcome.error;

    if (!std::holds_alternative<variants::Keep>(outcome.decision.step)) {
      PORTICO_TRY(auto after, observe_variant(key, registry, caches));
      if (!after) return work::NextLook{};
      snapshot = std::move(after);
    }
    PORTICO_DO(save(*snapshot, key, outcome, registry, clock.now()));
    if (wait) return work::NextLook{.after = wait};
    if (outcome.error) return *outcome.error;
    if (variants::ends(outcome.decision.step)) return work::NextLook{};
  }
  return internal("{}: still something to do after {} steps", key.text(), variants::kMostSteps);
}

}  // namespace portico::controllers
