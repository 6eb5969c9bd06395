#include "controllers/planner.h"

#include <set>

#include "api/kinds.h"
#include "controllers/set.h"
#include "controllers/set_index.h"
#include "controllers/set_observe.h"
#include "controllers/variant_index.h"
#include "controllers/variant_observe.h"
#include "controllers/variant_request.h"

namespace portico::controllers {

using json::Value;

namespace {

krm::GroupKind config_kind(std::string_view kind) {
  return {std::string(api::kConfigGroup), std::string(kind)};
}

class Planner {
 public:
  Planner(const registry::Registry& below, registry::Overlay& overlay, drafts::Drafts& drafts)
      : below_(below), overlay_(overlay), drafts_(drafts) {}

  Result<Plan> run() {
    // What is written to the overlay from here on are consequences.
    const auto changes = overlay_.changes();
    PORTICO_DO(plan_sets(changes));
    PORTICO_DO(plan_variants(changes));
    return std::move(plan_);
  }

 private:
  using Changes = std::map<krm::ObjectKey, Value>;

  Value before(const krm::ObjectKey& key) const {
    auto stored = below_.get(key);
    return stored ? *stored : Value();
  }

  Result<Done> plan_sets(const Changes& changes) {
    SetIndex index;
    PORTICO_TRY(const auto sets,
                overlay_.list({config_kind(api::kVariantSetKind), "", {}, {}, {}}));
    for (const Value& set : sets.objects) index.put(krm::object_key(set), set);
    std::set<krm::ObjectKey> concerned;
    for (const auto& [key, object] : changes) {
      const Value was = before(key);
      if (same(was, object)) continue;
      concerned.merge(index.concerned(object.is_null() ? was : object, was));
    }
    SetMemory memory;
    for (const krm::ObjectKey& key : concerned) {
      auto observed = observe_set(key, overlay_, caches_);
      if (!observed && observed.error().code == Code::kInvalid) {
        plan_.sets.push_back({.key = key,
                              .stall = variants::Stall{"ValidationError", observed.error().text()},
                              .no_match = {},
                              .actions = {},
                              .hold = {},
                              .failures = {}});
        continue;
      }
      PORTICO_TRY(const auto snapshot, std::move(observed));
      if (!snapshot) continue;
      auto decision = variants::decide_set(*snapshot, *memory.compiled(*snapshot->set));
      for (const auto& written : overlay_.commit_each(writes_of(decision.actions)))
        if (!written) return written.error();
      const std::size_t wanted = decision.wanted.size() + decision.failures.size();
      plan_.sets.push_back({key, std::move(decision.stall), std::move(decision.no_match),
                            std::move(decision.actions), std::move(decision.hold),
                            std::move(decision.failures), wanted});
    }
    return Done{};
  }

  Result<Done> plan_variants(const Changes& applied) {
    VariantIndex index;
    PORTICO_TRY(const auto all, overlay_.list({config_kind(api::kVariantKind), "", {}, {}, {}}));
    for (const Value& variant : all.objects) index.put(krm::object_key(variant), variant);
    std::set<krm::ObjectKey> concerned;
    for (const auto& [key, object] : applied)
      if (const Value was = before(key); !same(was, object))
        concerned.merge(index.concerned(object.is_null() ? was : object));
    for (const auto& [key, object] : overlay_.changes())
      if (key.type == config_kind(api::kVariantKind) && !same(before(key), object))
        concerned.insert(key);
    for (const krm::ObjectKey& key : concerned) {
      PORTICO_DO(plan_variant(key));
    }
    return Done{};
  }

  // Every step until one makes content, which the next would rest on.
  Result<Done> plan_variant(const krm::ObjectKey& key) {
    bool removed = false;
    PORTICO_TRY(auto snapshot, observe_variant(key, overlay_, caches_));
    if (!snapshot) {
      // Deleted here: what its deletion policy does to the revisions that it owns.
      PORTICO_TRY(snapshot, observe_variant(key, below_, caches_));
      if (!snapshot) return Done{};
      auto deleting = std::make_shared<api::PackageVariant>(*snapshot->variant);
      deleting->metadata.deletion_timestamp = "1970-01-01T00:00:00Z";
      snapshot->variant = std::move(deleting);
      removed = true;
    }
    snapshot->downstream_read = true;  // a Repository of the plan: as far as is known, empty
    for (int i = 0; i < variants::kMostSteps; ++i) {
      PORTICO_TRY(auto planned, plan_step(key, *snapshot, removed));
      if (!planned) return Done{};
      plan_.variants.push_back(std::move(*planned));
      auto next = after(*snapshot, plan_.variants.back().decision.step);
      if (!next || removed) return Done{};
      snapshot = std::move(next);
    }
    return Done{};
  }

  // The snapshot after a step that moves revisions and makes none; nothing after any other.
  static std::optional<variants::VariantSnapshot> after(variants::VariantSnapshot snapshot,
                                                        const variants::Step& step) {
    const api::PackageVariant& variant = *snapshot.variant;
    std::vector<variants::Revision>& have = snapshot.downstreams;
    const auto change = [&](const variants::Revision& which, api::PackageRevision object) {
      const auto changed = std::make_shared<const api::PackageRevision>(std::move(object));
      for (variants::Revision& each : have)
        if (each.name() == which.name()) each.object = changed;
    };
    if (const auto* propose = std::get_if<variants::Propose>(&step)) {
      api::PackageRevision object = *propose->draft.object;
      object.spec.lifecycle = api::name(api::Lifecycle::kProposed);
      change(propose->draft, std::move(object));
      return snapshot;
    }
    if (const auto* back = std::get_if<variants::TakeBack>(&step)) {
      api::PackageRevision object = *back->proposed.object;
      object.spec.lifecycle = api::name(api::Lifecycle::kDraft);
      object.status.proposal.reset();
      change(back->proposed, std::move(object));
      return snapshot;
    }
    if (const auto* approve = std::get_if<variants::Approve>(&step)) {
      std::int64_t highest = 0;
      for (variants::Revision& each : have) {
        if (each.spec().package_name != approve->proposed.spec().package_name) continue;
        highest = std::max(highest, each.spec().revision);
        if (variants::is_branch_head(each)) each.tree = approve->proposed.tree;
      }
      api::PackageRevision object = *approve->proposed.object;
      object.spec.lifecycle = api::name(api::Lifecycle::kPublished);
      object.spec.revision = highest + 1;
      object.status.base.reset();
      change(approve->proposed, std::move(object));
      return snapshot;
    }
    if (const auto* restore = std::get_if<variants::Restore>(&step)) {
      for (const variants::Revision& each : restore->revisions)
        change(each, variants::restored(*each.object));
      return snapshot;
    }
    if (const auto* drop = std::get_if<variants::DropDraft>(&step)) {
      std::erase_if(have, [&](const auto& one) { return one.name() == drop->draft.name(); });
      return snapshot;
    }
    if (const auto* adopt = std::get_if<variants::Adopt>(&step)) {
      for (const variants::Revision& each : adopt->revisions)
        change(each, variants::adopted(*each.object, variant));
      return snapshot;
    }
    if (const auto* let_go = std::get_if<variants::LetGo>(&step)) {
      for (const auto& [each, farewell] : let_go->revisions) {
        const std::string& gone = each.name();
        if (farewell == variants::Farewell::kDelete)
          std::erase_if(have, [&](const auto& one) { return one.name() == gone; });
        else
          change(each, variants::after_farewell(*each.object, variant, farewell));
      }
      return snapshot;
    }
    return std::nullopt;
  }

  Result<std::optional<PlannedVariant>> plan_step(const krm::ObjectKey& key,
                                                  const variants::VariantSnapshot& snapshot,
                                                  bool removed) {
    PlannedVariant out;
    out.key = key;
    out.removed = removed;
    if (const auto& downstream = snapshot.variant->spec.downstream)
      out.downstream = {downstream->repo, downstream->package};
    out.decision = variants::decide(snapshot);
    // Nothing that anybody would see.
    if (std::holds_alternative<variants::Keep>(out.decision.step) ||
        std::holds_alternative<variants::DropFinalizer>(out.decision.step))
      return std::optional<PlannedVariant>();
    if (const auto request = request_of(snapshot, out.decision, {})) {
      out.workspace = request->workspace;
      auto built = drafts_.build(*request);
      if (built && !built->changed) return std::optional<PlannedVariant>();
      if (built)
        out.built = std::move(*built);
      else
        out.error = std::move(built).error();
    }
    return std::optional(std::move(out));
  }

  static bool same(const Value& was, const Value& now) {
    if (was.is_null() || now.is_null()) return was.is_null() && now.is_null();
    const auto essence = [](const Value& object) {
      return object.without("status").without_at({"metadata", "resourceVersion"});
    };
    return essence(was) == essence(now);
  }

  const registry::Registry& below_;
  registry::Overlay& overlay_;
  drafts::Drafts& drafts_;
  Caches caches_;
  Plan plan_;
};

}  // namespace

Result<Plan> make_plan(const registry::Registry& below, registry::Overlay& overlay,
                       drafts::Drafts& drafts) {
  return Planner(below, overlay, drafts).run();
}

}  // namespace portico::controllers
