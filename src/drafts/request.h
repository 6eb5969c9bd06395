// What a draft is made of, and the result.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/package_revision.h"
#include "api/package_variant.h"
#include "base/result.h"
#include "json/value.h"
#include "krm/package.h"
#include "krm/resource_list.h"
#include "merge/differences.h"
#include "merge/tree.h"
#include "package/inject.h"
#include "package/metadata.h"
#include "packages/package_store.h"

namespace portico::drafts {

/// The sources of a draft's content. Names are PackageRevision names in the same namespace.
struct InitSource {
  std::string description, site;
  std::vector<std::string> keywords;
};
struct CloneSource {
  std::string upstream;
};
struct CopySource {
  std::string source;  // a published revision of the same package
};
struct UpgradeSource {
  std::string old_upstream;  // "": found through the local package's upstreamLock
  std::string new_upstream;
  std::string local;  // a revision of the package: published, or the draft to upgrade in place
};
struct ReplaceSource {
  krm::Package content;        // all files, as pushed, or of a new package
  bool lost_comments = false;  // dropped by the program that wrote it: restored from the draft
};
/// The package of a variant: the pristine build of its inputs (clone of the upstream, context,
/// pipeline, injection, render), merged with the users' edits in `local`. DraftRequest's mutations
/// are part of the inputs.
struct VariantSource {
  std::string upstream;
  std::string local;    // a revision of the package, its branch head, or the draft; "": none yet
  bool upgrade = true;  // the upstream changed; else only other inputs did
};
/// The draft's changes since its base, applied to the currently published content. If both changed
/// a field, the published value stays and a conflict is recorded.
struct RebaseSource {
  std::string onto;  // a published revision of the package, or its branch head
};
/// The unchanged content of a revision, but its Kptfile names another upstream revision as its
/// origin: the base of the next upgrade.
struct OriginSource {
  std::string source;    // a revision of the package: published, or the draft to change in place
  std::string upstream;  // published, or the head of a branch
};
/// The content of an earlier revision, on top of the currently published one. The next upgrade
/// merges with what that revision was built from.
struct RollbackSource {
  std::string source;  // a published revision of the same package
  int version = 0;     // its revision number
  std::string onto;    // the published state: a revision of the package, or its branch head
  std::optional<api::Pin> pin;
};
using Source = std::variant<InitSource, CloneSource, CopySource, UpgradeSource, ReplaceSource,
                            VariantSource, RebaseSource, OriginSource, RollbackSource>;

/// What a PackageVariant changes in the package besides its upstream (spec.packageContext,
/// pipeline, injectors).
struct Mutations {
  std::string variant;  // name of the PackageVariant
  api::PackageContext context;
  api::Pipeline pipeline;
  std::vector<api::InjectionSelector> injectors;
};

/// One atomic draft: source, mutations, render, commit. All of it or nothing.
struct DraftRequest {
  std::string ns, repository, package, workspace;
  Source source;
  /// The draft to change in place; "" creates a new revision.
  std::string draft;
  /// With `draft`: kConflict unless this is its resourceVersion; "" for any.
  std::string resource_version;
  std::optional<Mutations> mutations;
  /// Kptfile changes, applied to the source before it is rendered; not for a VariantSource or
  /// RebaseSource.
  std::optional<package::MetadataChange> metadata;
  std::string strategy;  // upgrade: "" for the Kptfile's; clone: written to the Kptfile
  merge::OnConflict on_conflict = merge::OnConflict::kUpstream;
  /// For a VariantSource: the digest of its inputs, given these injections.
  std::function<std::string(const std::vector<package::InjectionRecord>&)> inputs_hash;
  /// With `draft`: a published revision or the branch head. If the draft's new content equals it as
  /// KRM, the draft is removed.
  std::string published;
  /// For a new draft: the source of metadata.labels, annotations, ownerReferences, finalizers,
  /// managedFields and spec.tasks; null for none.
  json::Value object;
  std::string variant, variant_set;  // "namespace/name" for the commit's trailers
  bool render = true;
  /// Stores nothing if the content equals, as KRM, what it would replace.
  bool only_if_changed = true;
  /// Does everything but the save: returns the same errors, or what was built.
  bool dry_run = false;
  packages::Actor actor;
};

/// What a request makes of the package, before it is stored.
struct Built {
  krm::Package content;
  std::shared_ptr<const krm::Package>
      before;           // what it replaces or starts from; null for a new package
  bool changed = true;  // content differs from `before` as KRM; for a ReplaceSource, in any byte
  bool same_as_published = false;                // see DraftRequest::published
  std::shared_ptr<const krm::Package> pristine;  // for a VariantSource; else null
  std::string inputs;                            // the digest of the inputs
  std::vector<merge::Difference> edits;          // users' edits that `content` keeps
  std::vector<merge::Conflict> conflicts;
  std::vector<krm::FunctionResult> results;
  json::Value render_status;  // {error, result: kpt's FunctionResultList}; null if no function ran
  std::vector<package::InjectionRecord> injected;
  std::chrono::nanoseconds render_time{};  // the pipeline's part of the build time
};

/// How long the parts of a draft took, in wall-clock time of the calling thread.
struct DraftTimes {
  std::chrono::nanoseconds build{};   // source, merge and mutations
  std::chrono::nanoseconds render{};  // the pipeline
  std::chrono::nanoseconds save{};    // git with the wait for its batch, and the object
};

struct Drafted {
  json::Value object;    // the PackageRevision; null if nothing was stored
  bool removed = false;  // the draft was deleted, because it had only published content
  Built built;
  DraftTimes times;
};

}  // namespace portico::drafts
