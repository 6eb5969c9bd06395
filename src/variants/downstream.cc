#include "variants/downstream.h"

#include <algorithm>
#include <tuple>

#include "api/kinds.h"

namespace portico::variants {

namespace {

std::string_view let_go_by(const Revision& revision) {
  const auto& annotations = revision.object->metadata.annotations;
  const auto at = annotations.find(std::string(api::kLetGoAnnotation));
  return at == annotations.end() ? std::string_view() : at->second;
}

bool newer_than(const Revision& a, const std::optional<Revision>& b) {
  return !b || a.spec().revision > b->spec().revision;
}

bool controlled_by_another(const Revision& revision, const api::PackageVariant& variant) {
  const krm::OwnerReference* controller = api::controller_of(revision.object->metadata);
  return controller != nullptr && controller->uid != variant.metadata.uid;
}

bool is_of(const Revision& revision, const api::Downstream& downstream) {
  return revision.spec().repository == downstream.repo &&
         revision.spec().package_name == downstream.package;
}

}  // namespace

std::vector<Revision> Downstreams::targets() const {
  std::vector<Revision> out = drafts;
  out.insert(out.end(), proposed.begin(), proposed.end());
  if (out.empty() && published) out.push_back(*published);
  return out;
}

std::optional<Revision> Downstreams::current() const {
  const std::optional<Revision>& latest = newer ? newer : published;
  if (!latest) return std::nullopt;
  const bool moved =
      head && !head->tree.empty() && !latest->tree.empty() && head->tree != latest->tree;
  return moved ? head : latest;
}

Downstreams sort_downstreams(const api::PackageVariant& variant,
                             std::span<const Revision> observed) {
  Downstreams out;
  const api::Downstream downstream = variant.spec.downstream.value_or(api::Downstream{});
  const bool adopt = variant.spec.adoption_policy == api::kAdoptExisting;
  const std::string self = variant.metadata.ns + "/" + variant.metadata.name;
  std::optional<Revision> newest_foreign;
  const auto adoptable = [&](const Revision& revision) {
    if (controlled_by_another(revision, variant)) {
      if (!out.conflict) out.conflict = revision;
    } else {
      out.adoptable.push_back(revision);
    }
  };

  for (const Revision& revision : observed) {
    const bool owned = api::owned_by(revision.object->metadata, variant.metadata.uid);
    if (!is_of(revision, downstream)) {
      if (owned) out.strays.push_back(revision);
      continue;
    }
    out.package_exists = true;
    if (!out.taken && controlled_by_another(revision, variant)) out.taken = revision;
    if (is_branch_head(revision)) {
      out.head = revision;
      continue;
    }
    const bool let_go =
        revision.is(krm::Lifecycle::kDeletionProposed) && let_go_by(revision) == self;
    if (owned && let_go) out.to_restore.push_back(revision);
    if (owned) {
      if (revision.is(krm::Lifecycle::kProposed)) {
        out.proposed.push_back(revision);
      } else if (!revision.published()) {
        out.drafts.push_back(revision);
      } else if (newer_than(revision, out.published)) {
        out.published = revision;
      }
      continue;
    }
    const bool free = let_go && !controlled_by_another(revision, variant);
    if (free || (!revision.published() && (adopt || revision.variant == self))) {
      adoptable(revision);
    } else if (revision.published() && newer_than(revision, newest_foreign)) {
      newest_foreign = revision;
    }
  }

  if (newest_foreign && newer_than(*newest_foreign, out.published)) {
    if (adopt || newest_foreign->variant == self) {
      adoptable(*newest_foreign);
    } else if (!out.none_owned()) {
      out.newer = *newest_foreign;
      if (controlled_by_another(*newest_foreign, variant)) out.conflict = *newest_foreign;
    }
  }
  const std::optional<Revision>& latest = out.newer ? out.newer : out.published;
  if (latest && latest->is(krm::Lifecycle::kDeletionProposed) &&
      std::find(out.to_restore.begin(), out.to_restore.end(), *latest) == out.to_restore.end())
    out.to_restore.push_back(*latest);
  return out;
}

bool owns_downstream(const api::PackageVariant& variant, std::span<const Revision> observed) {
  return variant.spec.downstream &&
         std::any_of(observed.begin(), observed.end(), [&](const Revision& revision) {
           return api::owned_by(revision.object->metadata, variant.metadata.uid) &&
                  is_of(revision, *variant.spec.downstream);
         });
}

const api::PackageVariant* comes_first(
    const api::PackageVariant& variant, const Downstreams& downstreams,
    std::span<const std::shared_ptr<const api::PackageVariant>> rivals) {
  const auto name = [](const api::PackageVariant& one) {
    return one.metadata.ns + "/" + one.metadata.name;
  };
  const bool adopting = !downstreams.adoptable.empty();
  if (adopting) {
    const Revision& one = downstreams.adoptable.front();
    if (one.variant == name(variant) || let_go_by(one) == name(variant)) return nullptr;
    for (const auto& rival : rivals)
      if (!rival->metadata.deleting() && one.variant == name(*rival)) return rival.get();
  }
  const auto age = [](const api::PackageVariant& one) {
    return std::tie(one.metadata.creation_timestamp, one.metadata.name);
  };
  const api::PackageVariant* first = &variant;
  for (const auto& rival : rivals) {
    const bool counts = !rival->metadata.deleting() &&
                        (!adopting || rival->spec.adoption_policy == api::kAdoptExisting);
    if (counts && age(*rival) < age(*first)) first = rival.get();
  }
  return first == &variant ? nullptr : first;
}

bool own_work(const api::PackageVariant& variant, const Revision& revision) {
  return !revision.tree.empty() &&
         revision.variant == variant.metadata.ns + "/" + variant.metadata.name;
}

krm::OwnerReference owner_reference(const api::PackageVariant& variant) {
  krm::OwnerReference owner;
  owner.api_version = api::kConfigV1Alpha1;
  owner.kind = api::kVariantKind;
  owner.name = variant.metadata.name;
  owner.uid = variant.metadata.uid;
  owner.controller = true;
  return owner;
}

api::PackageRevision adopted(api::PackageRevision revision, const api::PackageVariant& variant) {
  revision = released(std::move(revision), variant);
  // An orphan that is adopted again, whatever variant its commits name.
  auto& annotations = revision.metadata.annotations;
  if (const auto at = annotations.find(std::string(api::kVariantAnnotation));
      at != annotations.end() && at->second.empty())
    at->second = variant.metadata.ns + "/" + variant.metadata.name;
  revision.metadata.owners.push_back(owner_reference(variant));
  for (const auto& [key, value] : variant.spec.labels) revision.metadata.labels[key] = value;
  for (const auto& [key, value] : variant.spec.annotations)
    revision.metadata.annotations[key] = value;
  return revision;
}

api::PackageRevision released(api::PackageRevision revision, const api::PackageVariant& variant) {
  std::erase_if(revision.metadata.owners, [&](const krm::OwnerReference& owner) {
    return owner.uid == variant.metadata.uid;
  });
  return revision;
}

const char* name(Farewell farewell) {
  switch (farewell) {
    case Farewell::kNone:
      return "keep";
    case Farewell::kDelete:
      return "delete";
    case Farewell::kProposeDeletion:
      return "propose deletion of";
    case Farewell::kRelease:
      return "release";
    case Farewell::kProposeAndRelease:
      return "propose deletion of and release";
  }
  return "keep";
}

api::PackageRevision restored(api::PackageRevision revision) {
  revision.spec.lifecycle = krm::name(krm::Lifecycle::kPublished);
  revision.metadata.annotations.erase(std::string(api::kLetGoAnnotation));
  return revision;
}

Farewell farewell(const Revision& revision, const api::PackageVariant& variant) {
  const bool deleting = variant.metadata.deleting();
  if (variant.spec.deletion_policy == api::kPolicyOrphan) return Farewell::kRelease;
  if (!revision.published()) return Farewell::kDelete;
  if (is_branch_head(revision)) return Farewell::kRelease;
  if (revision.is(krm::Lifecycle::kDeletionProposed))
    return deleting ? Farewell::kRelease : Farewell::kNone;
  return deleting ? Farewell::kProposeAndRelease : Farewell::kProposeDeletion;
}

api::PackageRevision after_farewell(api::PackageRevision revision,
                                    const api::PackageVariant& variant, Farewell farewell) {
  if (farewell == Farewell::kProposeDeletion || farewell == Farewell::kProposeAndRelease) {
    revision.spec.lifecycle = krm::name(krm::Lifecycle::kDeletionProposed);
    revision.metadata.annotations[std::string(api::kLetGoAnnotation)] =
        variant.metadata.ns + "/" + variant.metadata.name;
  }
  if (farewell == Farewell::kRelease && variant.spec.deletion_policy == api::kPolicyOrphan)
    revision.metadata.annotations[std::string(api::kVariantAnnotation)] = "";
  if (farewell == Farewell::kRelease || farewell == Farewell::kProposeAndRelease)
    return released(std::move(revision), variant);
  return revision;
}

}  // namespace portico::variants
