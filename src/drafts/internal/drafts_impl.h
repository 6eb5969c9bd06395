// The class behind drafts.h: drafts.cc saves, build.cc and variant_build.cc build.
#pragma once

#include <string>

#include "api/package_revision.h"
#include "base/guarded.h"
#include "base/lru_cache.h"
#include "drafts/drafts.h"
#include "krm/package_cache.h"

namespace portico::drafts {

class DraftsImpl : public Drafts {
 public:
  DraftsImpl(const registry::Registry& registry, packages::PackageStore& packages,
             const render::FunctionRunner& runner)
      : registry_(registry), packages_(packages), runner_(runner) {}

  Result<Built> build(const DraftRequest& request) override;
  Result<std::vector<BuildStep>> build_steps(const DraftRequest& request,
                                             const std::string& upstream) override;
  Result<Drafted> draft(const DraftRequest& request) override;

 private:
  using Content = std::shared_ptr<const krm::Package>;

  Result<json::Value> by_name(const std::string& ns, const std::string& name) const;
  Result<Done> check_new(const DraftRequest& request) const;
  Result<Drafted> draft_now(const DraftRequest& request);

  // Upstreams. Many variants share one, so its resources are parsed, and annotated with merge keys,
  // once for all of them.
  enum class Marks { kAsStored, kMerge };
  Result<Content> upstream(const json::Value& package_revision, Marks marks);
  /// A key that identifies the content of a revision; "" if nothing identifies it.
  static std::string content_name(const json::Value& package_revision);
  Result<Content> cached(const std::string& name, Marks marks,
                         const std::function<Result<Content>()>& read);
  /// The upstream content that `local` was made from; `theirs` is a revision of the same upstream.
  Result<Content> base_of(const json::Value& local, const json::Value& theirs);

  /// The result of a variant's inputs, without users' edits. Cached by inputs, so that equal inputs
  /// are built once while they fit.
  struct Pristine {
    Content content;
    std::vector<krm::FunctionResult> results;
    json::Value render_status;
    std::vector<package::InjectionRecord> injected;
  };
  /// A build's upstream content; of `lock` at least `commit` is set.
  struct Upstream {
    Content content;
    std::string tree;  // a key that identifies the content
    api::GitLock lock;
  };
  Result<Upstream> upstream_of(const json::Value& package_revision);
  /// The upstream that `local` is locked to, wherever refs point now; `like` is a revision of the
  /// same upstream package.
  Result<Upstream> locked_upstream(const json::Value& local, const json::Value& like);
  Result<std::shared_ptr<const Pristine>> pristine(const DraftRequest& request,
                                                   const Upstream& upstream,
                                                   std::chrono::nanoseconds& render_time);

  // The steps of a VariantSource, in variant_build.cc.
  Result<krm::Package> variant(const DraftRequest& request, const VariantSource& source, bool show,
                               Built& built);
  /// `theirs` merged with the users' edits in `local`, rendered again.
  Result<krm::Package> with_edits(const DraftRequest& request, const VariantSource& source,
                                  const json::Value& local, const Content& theirs, Built& built);
  Result<krm::Package> again_rendered(krm::Package package, const DraftRequest& request,
                                      Built& built) const;
  Result<package::InjectionObjects> injection_objects(
      const std::vector<package::InjectionPoint>& points,
      const std::vector<api::InjectionSelector>& injectors, const std::string& ns) const;
  Result<krm::Package> rebased(const DraftRequest& request, const RebaseSource& source,
                               Built& built);
  /// The pristine build that `local` came from, and whether git records it.
  struct Base {
    Content content;
    bool recorded = false;
  };
  Result<Base> base_build(const DraftRequest& request, const json::Value& local,
                          const json::Value& upstream, Built& built);
  /// build(); `show` also fills in what only a plan displays.
  Result<Built> make(const DraftRequest& request, bool show);

  // The steps of build().
  Result<krm::Package> start(const DraftRequest& request, Built& built);
  Result<krm::Package> upgraded(const DraftRequest& request, const UpgradeSource& source,
                                Built& built);
  Result<krm::Package> mutated(krm::Package package, const Mutations& mutations,
                               const std::string& ns, Built& built) const;
  Result<krm::Package> rendered(const krm::Package& package, const DraftRequest& request,
                                Built& built) const;

  const registry::Registry& registry_;
  packages::PackageStore& packages_;
  const render::FunctionRunner& runner_;
  // In bytes of files; their parsed form takes five to ten times as much.
  Guarded<krm::PackageCache> upstreams_{std::size_t{16} << 20};
  Guarded<LruCache<Pristine>> pristine_{std::size_t{32} << 20};
};

}  // namespace portico::drafts
