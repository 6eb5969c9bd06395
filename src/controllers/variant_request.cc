#include "controllers/variant_request.h"

#include "api/kinds.h"

namespace portico::controllers {

using drafts::DraftRequest;

namespace {

std::string full_name(const api::ObjectMeta& metadata) { return metadata.ns + "/" + metadata.name; }

// What every draft of a variant has in common.
DraftRequest common(const api::PackageVariant& variant, const packages::Actor& actor) {
  const api::PackageVariantSpec spec = api::with_defaults(variant.spec);
  DraftRequest out;
  out.ns = variant.metadata.ns;
  out.repository = spec.downstream->repo;
  out.package = spec.downstream->package;
  out.mutations =
      drafts::Mutations{variant.metadata.name, spec.package_context.value_or(api::PackageContext()),
                        spec.pipeline.value_or(api::Pipeline()), spec.injectors};
  out.strategy = spec.upgrade_strategy;
  out.on_conflict = spec.on_conflict;
  out.variant = full_name(variant.metadata);
  for (const krm::OwnerReference& owner : variant.metadata.owners)
    if (owner.controller && owner.kind == api::kVariantSetKind)
      out.variant_set = variant.metadata.ns + "/" + owner.name;
  out.actor = actor;
  return out;
}

class Requests {
 public:
  Requests(const api::PackageVariant& variant, const variants::Step& step,
           const packages::Actor& actor)
      : variant_(variant), step_(step), actor_(actor) {}

  std::optional<DraftRequest> operator()(const variants::Clone& step) const {
    DraftRequest out = fresh(step.workspace);
    out.source = drafts::CloneSource{step.upstream.name()};
    out.only_if_changed = false;
    return out;
  }
  std::optional<DraftRequest> operator()(const variants::UpgradeNewDraft& step) const {
    DraftRequest out = fresh(step.workspace);
    out.source = drafts::UpgradeSource{"", step.upstream.name(), step.base.name()};
    return out;
  }
  std::optional<DraftRequest> operator()(const variants::EditNewDraft& step) const {
    DraftRequest out = fresh(step.workspace);
    out.source = drafts::CopySource{step.base.name()};
    return out;
  }
  std::optional<DraftRequest> operator()(const variants::UpgradeInPlace& step) const {
    DraftRequest out = in_place(step.draft);
    out.source = drafts::UpgradeSource{"", step.upstream.name(), step.draft.name()};
    return out;
  }
  std::optional<DraftRequest> operator()(const variants::EditInPlace& step) const {
    DraftRequest out = in_place(step.draft);
    out.source = drafts::SameSource{};
    return out;
  }
  template <class Other>
  std::optional<DraftRequest> operator()(const Other&) const {
    return std::nullopt;
  }

 private:
  DraftRequest fresh(const std::string& workspace) const {
    DraftRequest out = common(variant_, actor_);
    out.workspace = workspace;
    out.object = api::encode(variants::new_draft(variant_, step_));
    return out;
  }
  DraftRequest in_place(const variants::Revision& draft) const {
    DraftRequest out = common(variant_, actor_);
    out.workspace = draft.spec().workspace_name;
    out.draft = draft.name();
    out.resource_version = draft.object->metadata.resource_version;
    return out;
  }

  const api::PackageVariant& variant_;
  const variants::Step& step_;
  const packages::Actor& actor_;
};

}  // namespace

std::optional<DraftRequest> request_of(const variants::VariantSnapshot& snapshot,
                                       const variants::Decision& decision,
                                       const packages::Actor& actor) {
  return std::visit(Requests(*snapshot.variant, decision.step, actor), decision.step);
}

}  // namespace portico::controllers
