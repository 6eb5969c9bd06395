#include "api/package_revision.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/internal/findings.h"
#include "api/internal/shared_fields.h"
#include "api/kinds.h"

namespace portico::api {

namespace internal {

PORTICO_API_TABLE(RevisionRef, field("name", &RevisionRef::name));

PORTICO_API_TABLE(GitLock, field("repo", &GitLock::repo), field("directory", &GitLock::directory),
                  field("ref", &GitLock::ref), field("commit", &GitLock::commit));

PORTICO_API_TABLE(Locator, field("type", &Locator::type), field("git", &Locator::git));

PORTICO_API_TABLE(UpstreamPackage::Git, field("repo", &UpstreamPackage::Git::repo),
                  field("ref", &UpstreamPackage::Git::ref),
                  field("directory", &UpstreamPackage::Git::directory),
                  field("secretRef", &UpstreamPackage::Git::secret_ref));

PORTICO_API_TABLE(UpstreamPackage::Oci, field("image", &UpstreamPackage::Oci::image));

PORTICO_API_TABLE(UpstreamPackage, field("type", &UpstreamPackage::type),
                  field("git", &UpstreamPackage::git), field("oci", &UpstreamPackage::oci),
                  field("upstreamRef", &UpstreamPackage::upstream_ref));

PORTICO_API_TABLE(InitTask, field("subpackage", &InitTask::subpackage),
                  field("description", &InitTask::description),
                  field("keywords", &InitTask::keywords), field("site", &InitTask::site));

PORTICO_API_TABLE(CloneTask, field("upstreamRef", &CloneTask::upstream),
                  field("strategy", &CloneTask::strategy));

PORTICO_API_TABLE(EditTask, field("sourceRef", &EditTask::source));

PORTICO_API_TABLE(UpgradeTask, field("oldUpstreamRef", &UpgradeTask::old_upstream),
                  field("newUpstreamRef", &UpgradeTask::new_upstream),
                  field("localPackageRevisionRef", &UpgradeTask::local),
                  field("strategy", &UpgradeTask::strategy));

PORTICO_API_TABLE(Task, field("type", &Task::type), field("init", &Task::init),
                  field("clone", &Task::clone), field("edit", &Task::edit),
                  field("upgrade", &Task::upgrade));

PORTICO_API_TABLE(ReadinessGate, field("conditionType", &ReadinessGate::condition_type));

PORTICO_API_TABLE(PackageMetadata, field("labels", &PackageMetadata::labels),
                  field("annotations", &PackageMetadata::annotations));

PORTICO_API_TABLE(PackageRevisionSpec, field("packageName", &PackageRevisionSpec::package_name),
                  field("repository", &PackageRevisionSpec::repository),
                  field("workspaceName", &PackageRevisionSpec::workspace_name),
                  field("revision", &PackageRevisionSpec::revision),
                  field("parent", &PackageRevisionSpec::parent),
                  field("lifecycle", &PackageRevisionSpec::lifecycle),
                  field("tasks", &PackageRevisionSpec::tasks),
                  field("readinessGates", &PackageRevisionSpec::readiness_gates),
                  field("packageMetadata", &PackageRevisionSpec::package_metadata));

PORTICO_API_TABLE(PristineBuild, field("commit", &PristineBuild::commit),
                  field("tree", &PristineBuild::tree), field("inputs", &PristineBuild::inputs));
PORTICO_API_TABLE(DraftBase, field("commit", &DraftBase::commit), field("tree", &DraftBase::tree));
PORTICO_API_TABLE(Drift, field("since", &Drift::since), field("commits", &Drift::commits),
                  field("files", &Drift::files));
PORTICO_API_TABLE(Proposal, field("by", &Proposal::by), field("at", &Proposal::at),
                  field("decision", &Proposal::decision));
PORTICO_API_TABLE(Rejection, field("by", &Rejection::by), field("at", &Rejection::at),
                  field("tree", &Rejection::tree));
PORTICO_API_TABLE(Pin, field("upstream", &Pin::upstream), field("inputs", &Pin::inputs),
                  field("to", &Pin::to));
PORTICO_API_TABLE(PackageRevisionStatus, field("pristine", &PackageRevisionStatus::pristine),
                  field("base", &PackageRevisionStatus::base),
                  field("drift", &PackageRevisionStatus::drift),
                  field("proposal", &PackageRevisionStatus::proposal),
                  field("rejection", &PackageRevisionStatus::rejection),
                  field("pin", &PackageRevisionStatus::pin),
                  field("upstreamLock", &PackageRevisionStatus::upstream_lock),
                  field("selfLock", &PackageRevisionStatus::self_lock),
                  field("publishedBy", &PackageRevisionStatus::published_by),
                  field("publishTimestamp", &PackageRevisionStatus::published_at),
                  field("deployment", &PackageRevisionStatus::deployment),
                  field("conditions", &PackageRevisionStatus::conditions));

PORTICO_API_TABLE(PackageRevision, field("metadata", &PackageRevision::metadata),
                  field("spec", &PackageRevision::spec), field("status", &PackageRevision::status));
PORTICO_API_KIND(PackageRevision, kPorchV1Alpha1, kRevisionKind);

}  // namespace internal

PORTICO_API_TYPE(PackageRevisionSpec);
PORTICO_API_TYPE(PackageRevisionStatus);
PORTICO_API_TYPE(Task);
PORTICO_API_TYPE(Locator);
PORTICO_API_TYPE(PackageRevision);

PackageRevision with_defaults(PackageRevision revision) {
  if (revision.spec.lifecycle.empty()) revision.spec.lifecycle = krm::name(krm::Lifecycle::kDraft);
  return revision;
}

std::vector<Cause> validate(const PackageRevisionSpec& spec) {
  internal::Findings findings;
  if (spec.package_name.empty())
    findings.required("spec.packageName", "spec.packageName is a required field");
  for (std::string_view rest = spec.package_name; !rest.empty();) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    if (!krm::is_dns1123_label(segment)) {
      findings.invalid(
          "spec.packageName",
          "spec.packageName: each segment must be an RFC 1123 label, found \"{}\" in \"{}\"",
          segment, spec.package_name);
      break;
    }
    rest = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  }
  if (spec.package_name.ends_with('/'))
    findings.invalid("spec.packageName", "spec.packageName must not end with '/', found \"{}\"",
                     spec.package_name);
  if (spec.repository.empty())
    findings.required("spec.repository", "spec.repository is a required field");
  if (!krm::is_dns1123_label(spec.workspace_name))
    findings.invalid("spec.workspaceName",
                     "spec.workspaceName must be an RFC 1123 label, found \"{}\"",
                     spec.workspace_name);
  if (!spec.lifecycle.empty() && !krm::parse_lifecycle(spec.lifecycle))
    findings.unsupported("spec.lifecycle",
                         "spec.lifecycle can only be \"Draft\", \"Proposed\", \"Published\" or "
                         "\"DeletionProposed\", found \"{}\"",
                         spec.lifecycle);
  if (spec.tasks.size() > 1)
    findings.invalid("spec.tasks", "task list must not contain more than one task");
  for (const Task& task : spec.tasks) {
    const bool has = (task.type == "init" && task.init) || (task.type == "clone" && task.clone) ||
                     (task.type == "edit" && task.edit) || (task.type == "upgrade" && task.upgrade);
    const bool known = task.type == "init" || task.type == "clone" || task.type == "edit" ||
                       task.type == "upgrade";
    if (!known)
      findings.unsupported("spec.tasks[0].type", "task of type \"{}\" not supported", task.type);
    if (known && !has && task.type != "init")
      findings.required("spec.tasks[0]." + task.type,
                        "spec.tasks[0].{} is required where type is \"{}\"", task.type, task.type);
  }
  return std::move(findings).take();
}

std::optional<std::string> unmet_gate(const PackageRevision& revision) {
  for (const ReadinessGate& gate : revision.spec.readiness_gates) {
    const Condition* condition = find_condition(revision.status.conditions, gate.condition_type);
    if (condition == nullptr || condition->status != "True") return gate.condition_type;
  }
  return std::nullopt;
}

const krm::OwnerReference* controller_of(const ObjectMeta& metadata) {
  const auto at = std::find_if(metadata.owners.begin(), metadata.owners.end(),
                               [](const krm::OwnerReference& owner) { return owner.controller; });
  return at == metadata.owners.end() ? nullptr : &*at;
}

bool owned_by(const ObjectMeta& metadata, std::string_view uid) {
  return std::any_of(metadata.owners.begin(), metadata.owners.end(),
                     [&](const krm::OwnerReference& owner) { return owner.uid == uid; });
}

}  // namespace portico::api
