// The class behind drafts.h: drafts.cc has what it saves, build.cc what it builds.
#pragma once

#include <string>

#include "base/guarded.h"
#include "drafts/drafts.h"
#include "krm/package_cache.h"

namespace portico::drafts {

class DraftsImpl : public Drafts {
 public:
  DraftsImpl(const registry::Registry& registry, packages::PackageStore& packages,
             const render::FunctionRunner& runner)
      : registry_(registry), packages_(packages), runner_(runner) {}

  Result<Built> build(const DraftRequest& request) override;
  Result<Drafted> draft(const DraftRequest& request) override;

 private:
  using Content = std::shared_ptr<const krm::Package>;

  Result<json::Value> by_name(const std::string& ns, const std::string& name) const;
  Result<Done> check_new(const DraftRequest& request) const;

  // Upstreams. Many variants are made from one: its resources are read, and marked with merge keys,
  // for the first of them, and shared.
  enum class Marks { kAsStored, kMerge };
  Result<Content> upstream(const json::Value& package_revision, Marks marks);
  Result<Content> cached(const std::string& name, Marks marks,
                         const std::function<Result<Content>()>& read);
  /// The upstream content that `local` was made from; `theirs` is a revision of the same upstream.
  Result<Content> base_of(const json::Value& local, const json::Value& theirs);

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
  // In bytes of files; what is read of them takes five to ten times as much.
  Guarded<krm::PackageCache> upstreams_{std::size_t{16} << 20};
};

}  // namespace portico::drafts
