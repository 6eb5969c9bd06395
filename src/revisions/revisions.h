// The port to package revisions: reading, drafting, proposing, publishing. What the controllers and
// the API do with packages they do through this.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/package_variant.h"
#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "krm/package.h"
#include "krm/resource_list.h"
#include "merge/tree.h"
#include "package/inject.h"

namespace portico::revisions {

/// Who asks: author of the commits and publishedBy.
struct Actor {
  std::string name, email;
};

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
  krm::Package content;        // all files, as pushed
  bool lost_comments = false;  // by a program that keeps none: they come back from the draft
};
struct SameSource {};  // the draft's own content: mutated and rendered anew
using Source =
    std::variant<InitSource, CloneSource, CopySource, UpgradeSource, ReplaceSource, SameSource>;

/// What a PackageVariant changes in the package besides its upstream (seed 000, l.687).
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
  std::string strategy;     // of an upgrade; "" is resource-merge
  std::string on_conflict;  // "upstream" (also ""), "keepLocal", "fail"
  /// Of a new draft: metadata.labels, annotations, ownerReferences and spec.tasks are taken from
  /// here; null for none.
  json::Value object;
  std::string variant, variant_set;  // "namespace/name" for the commit's trailers
  bool render = true;
  /// Nothing is stored where the content equals, as KRM, what it would replace.
  bool only_if_changed = true;
  Actor actor;
};

/// What a request makes of the package, before anything is stored.
struct Built {
  krm::Package content;
  std::shared_ptr<const krm::Package>
      before;           // what it replaces or starts from; null for a new package
  bool changed = true;  // content differs from `before` as KRM
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
  std::chrono::nanoseconds commit{};  // git, with the wait for others of the same group
  std::chrono::nanoseconds store{};   // the object
};

struct Drafted {
  json::Value object;  // the PackageRevision; null where nothing was stored
  Built built;
  DraftTimes times;
};

struct Synced {
  std::size_t packages = 0, revisions = 0;
  std::size_t written = 0;  // objects that had to be changed
};

/// Safe from any thread.
class Revisions {
 public:
  virtual ~Revisions() = default;

  virtual Result<std::shared_ptr<const krm::Package>> read(const json::Value& package_revision) = 0;

  /// The pure part: reads, builds, stores nothing. plan and diff stop here.
  virtual Result<Built> build(const DraftRequest& request) = 0;
  /// build, then one commit and one stored object.
  virtual Result<Drafted> draft(const DraftRequest& request) = 0;

  /// Lifecycle transitions (lifecycle.h): the object as stored afterwards. kInvalid where the rules
  /// forbid it, kNotFound for an unknown name.
  virtual Result<json::Value> propose(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<json::Value> approve(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<json::Value> reject(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<json::Value> propose_deletion(const krm::ObjectKey& key, const Actor& actor) = 0;
  virtual Result<Done> remove(const krm::ObjectKey& key, const Actor& actor) = 0;

  /// Brings the stored objects of one Repository up to what git says.
  virtual Result<Synced> sync(const json::Value& repository) = 0;
  /// Forgets the objects of a Repository that is gone; git is not touched.
  virtual Result<Done> forget(const std::string& ns, const std::string& repository) = 0;
};

krm::ObjectKey revision_key(const std::string& ns, const std::string& name);

}  // namespace portico::revisions
