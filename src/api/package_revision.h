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

// The words of krm::Lifecycle, for whoever compares text.
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
/// Where content came from: status.upstreamLock and status.selfLock.
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

/// How the revision came to be; `type` says which of the others holds.
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
  std::int64_t revision = 0;  // 0: not published, -1: branch head or a tag that is no number
  std::optional<RevisionRef> parent;
  std::string lifecycle;
  std::vector<Task> tasks;
  std::vector<ReadinessGate> readiness_gates;
  std::optional<PackageMetadata> package_metadata;
  bool operator==(const PackageRevisionSpec&) const = default;
};

/// Ours: the newest commit among the ancestors that has the package exactly as a variant's inputs
/// make it, with nobody's edits.
struct PristineBuild {
  std::string commit, tree;
  std::string inputs;  // the digest of what it was made from
  bool operator==(const PristineBuild&) const = default;
};
/// Ours, of a draft or proposal: what the registered branch had of the package when it was started;
/// `tree` is "" where it had none.
struct DraftBase {
  std::string commit, tree;
  bool operator==(const DraftBase&) const = default;
};
/// Ours, of the head of the registered branch: commits that changed the package after its latest
/// published revision, and did not come from one.
struct Drift {
  std::string since;                 // the published revision: a name; "" where there is none
  std::vector<std::string> commits;  // "1a2b3c4d Ann <ann@example.com>: hotfix", newest first
  std::vector<std::string> files;    // that differ
  bool operator==(const Drift&) const = default;
};

/// Ours, of a Proposed revision: who proposed it, and for a controller what it decided and why.
struct Proposal {
  std::string by, at, decision;
  bool operator==(const Proposal&) const = default;
};
/// Ours, of a Draft: who rejected it as a proposal, with the content that it had then. Nothing
/// proposes it again by itself until it has another.
struct Rejection {
  std::string by, at, tree;
  bool operator==(const Rejection&) const = default;
};
/// Ours, of a revision that somebody rolled back to: what its variant would make of it, and does
/// not until the upstream moves on. Digests of the upstream and of all inputs at that time, and the
/// version that was gone back to ("v3").
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

/// lifecycle Draft.
PackageRevision with_defaults(PackageRevision revision);

/// Field errors of a new object; empty where there is none.
std::vector<Cause> validate(const PackageRevisionSpec& spec);

/// Every gate's condition is there and True. `unmet` of the first that is not: its type.
std::optional<std::string> unmet_gate(const PackageRevision& revision);

/// The PackageVariant or other object that controls it (ownerReferences with controller: true).
const krm::OwnerReference* controller_of(const ObjectMeta& metadata);
bool owned_by(const ObjectMeta& metadata, std::string_view uid);

}  // namespace portico::api
