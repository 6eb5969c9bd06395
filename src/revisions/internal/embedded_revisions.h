// The class behind embedded.h; its parts are in embedded_*.cc.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/guarded.h"
#include "repo/package_cache.h"
#include "revisions/embedded.h"
#include "revisions/lifecycle.h"
#include "revisions/repositories.h"

namespace portico::revisions {

class EmbeddedRevisions : public Revisions {
 public:
  explicit EmbeddedRevisions(const EmbeddedOptions& options)
      : registry_(options.registry),
        runner_(options.runner),
        clock_(options.clock),
        repositories_(options.registry, options.mirrors) {}

  Result<std::shared_ptr<const krm::Package>> read(const json::Value& package_revision) override;
  Result<Built> build(const DraftRequest& request) override;
  Result<Drafted> draft(const DraftRequest& request) override;
  Result<json::Value> propose(const krm::ObjectKey& key, const Actor& actor) override;
  Result<json::Value> approve(const krm::ObjectKey& key, const Actor& actor) override;
  Result<json::Value> reject(const krm::ObjectKey& key, const Actor& actor) override;
  Result<json::Value> propose_deletion(const krm::ObjectKey& key, const Actor& actor) override;
  Result<Done> remove(const krm::ObjectKey& key, const Actor& actor) override;
  Result<Synced> sync(const json::Value& repository) override;
  Result<Done> forget(const std::string& ns, const std::string& repository) override;

 private:
  /// A stored revision with its place in git.
  struct Located {
    json::Value object;
    repo::Revision revision;
    Repositories::Opened home;
  };
  Result<Located> locate(const krm::ObjectKey& key);
  /// The beginning of every transition: where the revision is, and that the rules allow it.
  struct Step {
    Located located;
    Outcome does = Outcome::kNothing;
    std::string place;
  };
  Result<Step> begin(Transition transition, const krm::ObjectKey& key);
  Result<json::Value> named(const std::string& ns, const std::string& name) const;

  /// The stored revisions of one package, by name.
  Result<std::vector<json::Value>> siblings(const Located& one) const;

  repo::Signature signature(const Actor& actor) const;
  /// What git answered. A conflict says that the store is behind git: it is brought up to date, so
  /// that who reads again decides on what is there.
  template <class T>
  Result<T> heard(Result<T> answer, const Home& home) {
    if (!answer && answer.error().code == Code::kConflict) catch_up(home);
    return answer;
  }
  void catch_up(const Home& home);
  /// Commits what `writes` gives; where somebody else was quicker it is asked again, to give what
  /// follows from the objects as they are then. The object of `key` as it was written.
  Result<json::Value> follow(const krm::ObjectKey& key,
                             const std::function<Result<std::vector<registry::Write>>()>& writes);
  /// Stores what git now says of `located`; `published_by` is set on publication.
  Result<json::Value> moved(const Located& located, const repo::Revision& now,
                            const Actor* published_by = nullptr);
  /// The branch head of the package, which publication has moved.
  void append_head(std::vector<registry::Write>& writes, const Located& located,
                   const repo::Revision& head, const KptfileFacts& facts,
                   const std::vector<json::Value>& siblings);
  Result<json::Value> publish(const Located& located, const Actor& actor);

  // Upstreams, in embedded_build.cc. Many variants are made from one: its resources are read, and
  // marked with merge keys, for the first of them, and shared.
  enum class Marks { kAsStored, kMerge };
  Result<std::shared_ptr<const krm::Package>> upstream(const json::Value& package_revision,
                                                       Marks marks);
  Result<std::shared_ptr<const krm::Package>> upstream_tree(repo::Repository& git,
                                                            const std::string& tree, Marks marks);

  // The steps of build(), in embedded_build.cc.
  Result<krm::Package> start(const DraftRequest& request, const Repositories::Opened& home,
                             Built& built);
  Result<krm::Package> upgraded(const DraftRequest& request, const UpgradeSource& source,
                                Built& built);
  /// The upstream content that `local` was made from; `theirs` is a revision of the same upstream.
  Result<std::shared_ptr<const krm::Package>> base_of(const json::Value& local,
                                                      const json::Value& theirs);
  Result<krm::Package> mutated(krm::Package package, const Mutations& mutations,
                               const std::string& ns, Built& built);
  Result<krm::Package> rendered(const krm::Package& package, const DraftRequest& request,
                                Built& built) const;

  // The steps of draft(), in embedded_draft.cc.
  Result<Done> check_new(const DraftRequest& request);
  Result<std::string> parent_of(const DraftRequest& request);
  Result<json::Value> store_new(const json::Value& fresh);
  /// What git now says of a draft, put into the object as it is stored by now.
  Result<json::Value> store_changed(const json::Value& fresh);

  registry::Registry& registry_;
  const render::FunctionRunner& runner_;
  const Clock& clock_;
  Repositories repositories_;
  // In bytes of files; what is read of them takes five to ten times as much.
  Guarded<repo::PackageCache> upstreams_{std::size_t{16} << 20};
};

}  // namespace portico::revisions
