#include "controllers/variant_request.h"

#include "api/kinds.h"
#include "base/secrets.h"

namespace portico::controllers {

using drafts::DraftRequest;

namespace {

std::string full_name(const api::ObjectMeta& metadata) { return metadata.ns + "/" + metadata.name; }

}  // namespace

DraftRequest request_of(const api::PackageVariant& variant, const packages::Actor& actor) {
  const api::PackageVariantSpec spec = api::with_defaults(variant.spec);
  DraftRequest out;
  out.ns = variant.metadata.ns;
  out.repository = spec.downstream->repo;
  out.package = spec.downstream->package;
  out.mutations =
      drafts::Mutations{variant.metadata.name, spec.package_context.value_or(api::PackageContext()),
                        spec.pipeline.value_or(api::Pipeline()), spec.injectors};
  out.strategy = spec.upgrade_strategy;
  out.on_conflict = spec.on_conflict == "keepLocal" ? merge::OnConflict::kLocal
                    : spec.on_conflict == "fail"    ? merge::OnConflict::kFail
                                                    : merge::OnConflict::kUpstream;
  out.variant = full_name(variant.metadata);
  for (const krm::OwnerReference& owner : variant.metadata.owners)
    if (owner.controller && owner.kind == api::kVariantSetKind)
      out.variant_set = variant.metadata.ns + "/" + owner.name;
  out.actor = actor;
  return out;
}

namespace {

class Requests {
 public:
  Requests(const variants::VariantSnapshot& snapshot, const variants::Step& step,
           const packages::Actor& actor)
      : snapshot_(snapshot), variant_(*snapshot.variant), step_(step), actor_(actor) {}

  std::optional<DraftRequest> operator()(const variants::Clone& step) const {
    DraftRequest out = fresh(step.workspace, step.upstream, nullptr, true);
    out.only_if_changed = false;
    return out;
  }
  std::optional<DraftRequest> operator()(const variants::UpgradeNewDraft& step) const {
    return fresh(step.workspace, step.upstream, &step.base, true);
  }
  std::optional<DraftRequest> operator()(const variants::EditNewDraft& step) const {
    return fresh(step.workspace, step.upstream, &step.base, false);
  }
  std::optional<DraftRequest> operator()(const variants::UpgradeInPlace& step) const {
    return built_in_place(step.draft, step.upstream, true);
  }
  std::optional<DraftRequest> operator()(const variants::EditInPlace& step) const {
    return built_in_place(step.draft, step.upstream, false);
  }
  std::optional<DraftRequest> operator()(const variants::Rebase& step) const {
    DraftRequest out = in_place(step.draft);
    out.source = drafts::RebaseSource{step.onto.name()};
    out.only_if_changed = false;
    return out;
  }
  // These steps make no content.
  std::optional<DraftRequest> operator()(const variants::DropDraft&) const { return std::nullopt; }
  std::optional<DraftRequest> operator()(const variants::Propose&) const { return std::nullopt; }
  std::optional<DraftRequest> operator()(const variants::Approve&) const { return std::nullopt; }
  std::optional<DraftRequest> operator()(const variants::TakeBack&) const { return std::nullopt; }
  std::optional<DraftRequest> operator()(const variants::Restore&) const { return std::nullopt; }
  std::optional<DraftRequest> operator()(const variants::Adopt&) const { return std::nullopt; }
  std::optional<DraftRequest> operator()(const variants::LetGo&) const { return std::nullopt; }
  std::optional<DraftRequest> operator()(const variants::DropFinalizer&) const {
    return std::nullopt;
  }
  std::optional<DraftRequest> operator()(const variants::Keep&) const { return std::nullopt; }
  std::optional<DraftRequest> operator()(const variants::WaitForReview&) const {
    return std::nullopt;
  }
  std::optional<DraftRequest> operator()(const variants::Stall&) const { return std::nullopt; }
  std::optional<DraftRequest> operator()(const variants::Suspended&) const { return std::nullopt; }

 private:
  DraftRequest fresh(const std::string& workspace, const variants::Revision& upstream,
                     const variants::Revision* local, bool upgrade) const {
    DraftRequest out = request_of(variant_, actor_);
    out.workspace = workspace;
    out.object = api::encode(variants::new_draft(variant_, step_));
    build_of(out, upstream, local != nullptr ? local->name() : "", upgrade);
    return out;
  }
  DraftRequest in_place(const variants::Revision& draft) const {
    DraftRequest out = request_of(variant_, actor_);
    out.workspace = draft.spec().workspace_name;
    out.draft = draft.name();
    out.resource_version = draft.object->metadata.resource_version;
    const auto downstreams = variants::sort_downstreams(variant_, snapshot_.downstreams);
    if (const auto current = downstreams.current(); current && variants::own_work(variant_, draft))
      out.published = current->name();
    return out;
  }
  DraftRequest built_in_place(const variants::Revision& draft, const variants::Revision& upstream,
                              bool upgrade) const {
    DraftRequest out = in_place(draft);
    build_of(out, upstream, draft.name(), upgrade);
    return out;
  }
  void build_of(DraftRequest& out, const variants::Revision& upstream, const std::string& local,
                bool upgrade) const {
    out.source = drafts::VariantSource{upstream.name(), local, upgrade};
    out.inputs_hash = [variant = snapshot_.variant,
                       upstream](const std::vector<package::InjectionRecord>& records) {
      return variants::inputs_hash(*variant, upstream, injected_states(records));
    };
  }

  const variants::VariantSnapshot& snapshot_;
  const api::PackageVariant& variant_;
  const variants::Step& step_;
  const packages::Actor& actor_;
};

}  // namespace

std::string decision_text(const variants::Decision& decision) {
  return fmt::format("{}: {}", variants::name(decision.step), without_secrets(decision.reason));
}

std::vector<variants::InjectedState> injected_states(
    const std::vector<package::InjectionRecord>& records) {
  std::vector<variants::InjectedState> out;
  for (const package::InjectionRecord& each : records)
    out.push_back({each.api_version, each.kind, each.name, each.uid, each.content_hash});
  return out;
}

std::optional<DraftRequest> request_of(const variants::VariantSnapshot& snapshot,
                                       const variants::Decision& decision,
                                       const packages::Actor& actor) {
  packages::Actor deciding = actor;
  deciding.decision = decision_text(decision);
  return std::visit(Requests(snapshot, decision.step, deciding), decision.step);
}

}  // namespace portico::controllers
