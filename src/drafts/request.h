// What a draft is to be made of, and what came of it.
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

/// Where the content of a draft starts from. Names are PackageRevision names in the same namespace.
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
  std::string old_upstream;  // "": found by the local package's upstreamLock
  std::string new_upstream;
  std::string local;  // a revision of the package: published, or the draft to upgrade in place
};
struct ReplaceSource {
  krm::Package content;        // all files, as pushed; or of a new package
  bool lost_comments = false;  // by a program that keeps none: they come back from the draft
};
/// What a variant's package is to be: the pristine build of its inputs (clone of the upstream,
/// context, pipeline, injection, render), with people's edits of `local` on top. DraftRequest's
/// mutations are its inputs, too.
struct VariantSource {
  std::string upstream;
  std::string local;    // a revision of the package, its branch head, or the draft; "": none yet
  bool upgrade = true;  // the upstream moved; else only the other inputs changed
};
/// What the draft changed since its base, put on top of what is published now. Where both changed a
/// field, what is published stays, and it is a conflict.
struct RebaseSource {
  std::string onto;  // a published revision of the package, or its branch head
};
/// The content of a revision as it is, but its Kptfile says that it was made from another upstream
/// revision: the base of the next upgrade.
struct OriginSource {
  std::string source;    // a revision of the package: published, or the draft to change in place
  std::string upstream;  // published, or the head of a branch
};
/// The content of an earlier revision, on top of what is published now. The next upgrade merges
/// with what that revision was built from.
struct RollbackSource {
  std::string source;  // a published revision of the same package
  int version = 0;     // its number
  std::string onto;    // what is published: a revision of the package, or its branch head
  std::optional<api::Pin> pin;
};
using Source = std::variant<InitSource, CloneSource, CopySource, UpgradeSource, ReplaceSource,
                            VariantSource, RebaseSource, OriginSource, RollbackSource>;

/// What a PackageVariant changes in the package besides its upstream (its spec.packageContext,
/// pipeline, injectors).
struct Mutations {
  std::string variant;  // name of the PackageVariant
  api::PackageContext context;
  api::Pipeline pipeline;
  std::vector<api::InjectionSelector> injectors;
};

/// One atomic draft: source, mutations, render, commit. Either all of it or nothing.
struct DraftRequest {
  std::string ns, repository, package, workspace;
  Source source;
  /// The draft to change in place; "" makes a new revision.
  std::string draft;
  /// With `draft`: kConflict unless this is its resourceVersion; "" for any.
  std::string resource_version;
  std::optional<Mutations> mutations;
  /// What the Kptfile is to say, put into the source before it is rendered; not of a VariantSource
  /// or a RebaseSource.
  std::optional<package::MetadataChange> metadata;
  std::string strategy;  // of an upgrade, "": the Kptfile's; of a clone for the Kptfile
  merge::OnConflict on_conflict = merge::OnConflict::kUpstream;
  /// Of a VariantSource: the digest of its inputs, where these were injected.
  std::function<std::string(const std::vector<package::InjectionRecord>&)> inputs_hash;
  /// With `draft`: a published revision or the branch head; a draft that turns out to have the same
  /// content as KRM is removed.
  std::string published;
  /// Of a new draft: metadata.labels, annotations, ownerReferences, finalizers, managedFields and
  /// spec.tasks are taken from here; null for none.
  json::Value object;
  std::string variant, variant_set;  // "namespace/name" for the commit's trailers
  bool render = true;
  /// Nothing is stored where the content equals, as KRM, what it would replace.
  bool only_if_changed = true;
  /// Everything but the save: what would be refused is refused, and what was built is handed back.
  bool dry_run = false;
  packages::Actor actor;
};

/// What a request makes of the package, before anything is stored.
struct Built {
  krm::Package content;
  std::shared_ptr<const krm::Package>
      before;           // what it replaces or starts from; null for a new package
  bool changed = true;  // content differs from `before` as KRM; of a ReplaceSource, in any byte
  bool same_as_published = false;                // see DraftRequest::published
  std::shared_ptr<const krm::Package> pristine;  // of a VariantSource; null for others
  std::string inputs;                            // the digest of what it was made from
  std::vector<merge::Difference> edits;          // people's, that `content` keeps
  std::vector<merge::Conflict> conflicts;
  std::vector<krm::FunctionResult> results;
  json::Value render_status;  // {result: kpt's FunctionResultList}; null where no function ran
  std::vector<package::InjectionRecord> injected;
  std::chrono::nanoseconds render_time{};  // of the whole, what the pipeline took
};

/// Where the time of a draft went, in wall-clock time of the calling thread.
struct DraftTimes {
  std::chrono::nanoseconds build{};   // source, merge and mutations
  std::chrono::nanoseconds render{};  // the pipeline
  std::chrono::nanoseconds save{};    // git with the wait for others of the same group, the object
};

struct Drafted {
  json::Value object;    // the PackageRevision; null where nothing was stored
  bool removed = false;  // the draft is gone: it had nothing that is not published
  Built built;
  DraftTimes times;
};

}  // namespace portico::drafts
