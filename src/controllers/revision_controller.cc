#include <algorithm>
#include <utility>

#include "api/approval.h"
#include "api/kinds.h"
#include "api/package_revision.h"
#include "controllers/events.h"
#include "controllers/kinds.h"
#include "packages/base.h"
#include "packages/lineage.h"
#include "variants/approval.h"

namespace portico::controllers {
namespace {

using json::Value;
using variants::Stage;

// Whether Nephio's annotation alone decides about it. A revision owned by a variant is left to the
// variant.
bool is_asked_for(const Value& revision) {
  const std::string_view lifecycle = revision["spec"]["lifecycle"].as_string();
  if (lifecycle != api::kDraft && lifecycle != api::kProposed) return false;
  if (krm::annotation_of(revision, api::kNephioPolicy).empty()) return false;
  const auto owners = krm::owners_of(revision);
  return std::none_of(owners.begin(), owners.end(),
                      [](const krm::OwnerReference& owner) { return owner.controller; });
}

/// Proposes and approves package revisions made by users that request it with Nephio's annotation.
class RevisionController : public Controller {
 public:
  RevisionController(const World& world, std::shared_ptr<Caches> caches)
      : world_(world), caches_(std::move(caches)) {}

  Workers workers() const override { return {.name = "packagerevision", .count = 2}; }

  std::vector<krm::ObjectKey> rests_on(const Value& revision) const override {
    return repositories(krm::namespace_of(revision), {revision["spec"]["repository"].as_string()});
  }

  std::vector<Wake> wake(const registry::Event& event) override {
    if (event.change == registry::Change::kDeleted ||
        krm::group_kind(event.object) != api::revision_kind() || !is_asked_for(event.object))
      return {};
    return {{krm::object_key(event.object)}};
  }

  Result<work::NextReconcile> reconcile(const krm::ObjectKey& key, const work::Run&) override {
    // Two rounds, because a revision that it proposes may be approvable at once.
    for (int i = 0; i < 2; ++i) {
      const auto stored = world_.registry.get(key);
      if (!stored && stored.error().code == Code::kNotFound) return work::NextReconcile{};
      if (!stored) return stored.error();
      if (!is_asked_for(*stored)) return work::NextReconcile{};
      PORTICO_TRY(const variants::Verdict verdict, look_at(*stored));
      if (verdict.later)
        return work::NextReconcile{
            std::max(*verdict.later - world_.clock.now(), std::chrono::milliseconds(0))};
      if (!verdict.now) return work::NextReconcile{};
      const std::string repository((*stored)["spec"]["repository"].as_string());
      const auto permit = world_.repository_health.enter(key.ns, repository);
      if (!permit) return work::NextReconcile{world_.repository_health.wait(key.ns, repository)};
      PORTICO_DO(take(*stored, verdict));
    }
    return work::NextReconcile{};
  }

 private:
  static Stage stage_of(const Value& stored) {
    return stored["spec"]["lifecycle"].as_string() == api::kProposed ? Stage::kApprove
                                                                     : Stage::kPropose;
  }

  /// The verdict as for a variant without a policy of its own.
  Result<variants::Verdict> look_at(const Value& stored) {
    PORTICO_TRY(const auto siblings,
                packages::revisions_of(world_.registry, std::string(krm::namespace_of(stored)),
                                       std::string(stored["spec"]["repository"].as_string()),
                                       std::string(stored["spec"]["packageName"].as_string())));
    if (packages::stale_base(stored, siblings)) return variants::Verdict();
    variants::VariantSnapshot snapshot;
    snapshot.variant = std::make_shared<const api::PackageVariant>();
    snapshot.now = world_.clock.now();
    for (const Value& each : siblings) {
      PORTICO_TRY(variants::Revision sibling, as_revision(each, *caches_));
      snapshot.downstreams.push_back(std::move(sibling));
    }
    PORTICO_TRY(const variants::Revision revision, as_revision(stored, *caches_));
    return variants::verdict(snapshot, revision, stage_of(stored)).value_or(variants::Verdict());
  }

  Result<Done> take(const Value& stored, const variants::Verdict& verdict) {
    const krm::ObjectKey key = krm::object_key(stored);
    const bool propose = stage_of(stored) == Stage::kPropose;
    const std::string name = propose ? "Propose" : "Approve";
    const std::string why = fmt::format("\"{}\": {}", key.name, verdict.why);
    packages::Actor actor = world_.actor;
    actor.decision = name + ": " + why;
    actor.decided_on = stored["metadata"]["resourceVersion"].as_string();
    const auto done =
        propose ? world_.packages.propose(key, actor) : world_.packages.approve(key, actor);
    if (!done && done.error().code == Code::kConflict) return done.error();
    const EventInfo event_info =
        done ? EventInfo{false, name, why} : EventInfo{true, name + "Failed", done.error().text()};
    const TimePoint now = world_.clock.now();
    PORTICO_TRY(const auto writes,
                recording(world_.registry, stored, event_info, now, world_.events_expire));
    PORTICO_DO(write_recorded(world_.registry, writes, now));
    if (!done) return done.error();
    return Done{};
  }

  const World world_;
  const std::shared_ptr<Caches> caches_;
};

}  // namespace

std::unique_ptr<Controller> revision_controller(const World& world,
                                                std::shared_ptr<Caches> caches) {
  return std::make_unique<RevisionController>(world, std::move(caches));
}

}  // namespace portico::controllers
