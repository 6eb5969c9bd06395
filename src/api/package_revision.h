// PackageRevision and its approval (porch.kpt.dev/v1alpha1): one revision of one package.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/decode.h"
#include "api/meta.h"
#include "api/repository.h"
#include "krm/lifecycle.h"

namespace portico::api {

// The names of krm::Lifecycle, for comparing text.
inline constexpr std::string_view kDraft = "Draft";
inline constexpr std::string_view kProposed = "Proposed";
inline constexpr std::string_view kPublished = "Published";
inline constexpr std::string_view kDeletionProposed = "DeletionProposed";

struct RevisionRef {
  std::string name;
  bool operator==(const RevisionRef&) const = default;
};

struct GitLock {
  std::string repo, directory, ref, commit;
  bool operator==(const GitLock&) const = default;
};
/// The origin of content: status.upstreamLock and status.selfLock.
struct Locator {
  std::string type;  // git
  std::optional<GitLock> git;
  bool operator==(const Locator&) const = default;
};

struct UpstreamPackage {
  struct Git {
    std::string repo, ref, directory;
    SecretRef secret_ref;
    bool operator==(const Git&) const = default;
  };
  struct Oci {
    std::string image;
    bool operator==(const Oci&) const = default;
  };
  std::string type;  // git, oci; empty with upstream_ref
  std::optional<Git> git;
  std::optional<Oci> oci;
  std::optional<RevisionRef> upstream_ref;
  bool operator==(const UpstreamPackage&) const = default;
};

struct InitTask {
  std::string subpackage, description, site;
  std::vector<std::string> keywords;
  bool operator==(const InitTask&) const = default;
};
struct CloneTask {
  UpstreamPackage upstream;  // upstreamRef
  std::string strategy;
  bool operator==(const CloneTask&) const = default;
};
struct EditTask {
  std::optional<RevisionRef> source;  // sourceRef
  bool operator==(const EditTask&) const = default;
};
struct UpgradeTask {
  RevisionRef old_upstream, new_upstream, local;
  std::string strategy;
  bool operator==(const UpgradeTask&) const = default;
};

/// How the revision was created; `type` says which of the other members is set.
struct Task {
  std::string type;  // init, clone, edit, upgrade (also render, push in history)
  std::optional<InitTask> init;
  std::optional<CloneTask> clone;
  std::optional<EditTask> edit;
  std::optional<UpgradeTask> upgrade;
  bool operator==(const Task&) const = default;
};

struct ReadinessGate {
  std::string condition_type;
  bool operator==(const ReadinessGate&) const = default;
};
struct PackageMetadata {
  StringMap labels, annotations;
  bool operator==(const PackageMetadata&) const = default;
};

struct PackageRevisionSpec {
  std::string package_name, repository, workspace_name;
  std::int64_t revision = 0;  // 0: not published, -1: branch head or a tag that is not a number
  std::optional<RevisionRef> parent;
  std::string lifecycle;
  std::vector<Task> tasks;
  std::vector<ReadinessGate> readiness_gates;
  std::optional<PackageMetadata> package_metadata;
  bool operator==(const PackageRevisionSpec&) const = default;
};

/// Portico only: the newest ancestor commit whose package is exactly what a variant's inputs yield,
/// without edits by users.
struct PristineBuild {
  std::string commit, tree;
  std::string inputs;  // the digest of its inputs
  bool operator==(const PristineBuild&) const = default;
};
/// Portico only, for a draft or proposal: the package on the registered branch when the draft was
/// started; `tree` is "" if the branch did not have it.
struct DraftBase {
  std::string commit, tree;
  bool operator==(const DraftBase&) const = default;
};
/// Portico only, for the head of the registered branch: commits that changed the package after its
/// latest published revision and do not belong to a revision.
struct Drift {
  std::string since;                 // the name of the published revision; "" if there is none
  std::vector<std::string> commits;  // "1a2b3c4d Ann <ann@example.com>: hotfix", newest first
  std::vector<std::string> files;    // those that differ
  bool operator==(const Drift&) const = default;
};

/// Portico only, for a Proposed revision: who proposed it and, if it was a controller, its decision
/// and the reason.
struct Proposal {
  std::string by, at, decision;
  bool operator==(const Proposal&) const = default;
};
/// Portico only, for a Draft: who rejected it as a proposal, and its content at that time. No
/// policy proposes it again until its content changes.
struct Rejection {
  std::string by, at, tree;
  bool operator==(const Rejection&) const = default;
};
/// Portico only, for a revision that a user rolled back to: what the variant would otherwise
/// replace it with, and does not until the upstream changes. Contains the digests of the upstream
/// and of all inputs at that time, and the target version of the rollback ("v3").
struct Pin {
  std::string upstream, inputs, to;
  bool operator==(const Pin&) const = default;
};

struct PackageRevisionStatus {
  std::optional<Locator> upstream_lock, self_lock;
  std::optional<PristineBuild> pristine;
  std::optional<DraftBase> base;
  std::optional<Drift> drift;
  std::optional<Proposal> proposal;
  std::optional<Rejection> rejection;
  std::optional<Pin> pin;
  std::string published_by, published_at;
  bool deployment = false;
  std::vector<Condition> conditions;
  bool operator==(const PackageRevisionStatus&) const = default;
};

struct PackageRevision {
  ObjectMeta metadata;
  PackageRevisionSpec spec;
  PackageRevisionStatus status;
  bool operator==(const PackageRevision&) const = default;
};

/// Sets the lifecycle to Draft if it is empty.
PackageRevision with_defaults(PackageRevision revision);

/// The field errors of a new object; empty if it is valid.
std::vector<Cause> validate(const PackageRevisionSpec& spec);

/// The condition type of the first readiness gate whose condition is absent or not True; nullopt if
/// all are met.
std::optional<std::string> unmet_gate(const PackageRevision& revision);

/// The owner that controls the object, such as a PackageVariant (ownerReferences with controller:
/// true); null if there is none.
const krm::OwnerReference* controller_of(const ObjectMeta& metadata);
bool owned_by(const ObjectMeta& metadata, std::string_view uid);

}  // namespace portico::api
