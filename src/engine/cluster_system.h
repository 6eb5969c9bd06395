// A server on a cluster, as input of a rehearsal: a mirror of the cluster's objects, and mirrors of
// its repositories.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "cluster/mirror.h"
#include "engine/cluster_process.h"
#include "engine/system.h"
#include "gitpackages/git_packages.h"

namespace portico::engine {

/// Its parts must outlive it.
class ClusterSystem : public System {
 public:
  struct Parts {
    ClusterProcess& process;
    registry::Registry& known;         // the mirror, with package revisions
    const registry::Registry& remote;  // the cluster itself, not cached
    packages::PackageStore& packages;
    std::string folder;               // for mirrors and scratch folders
    bool local_repositories = false;  // gitpackages::Options
    std::shared_ptr<portico::Log> log;
  };
  explicit ClusterSystem(Parts parts) : parts_(std::move(parts)) {}

  registry::Registry& registry() override { return parts_.known; }
  packages::PackageStore& packages() override { return parts_.packages; }
  Log& log() override { return *parts_.log; }
  const std::string& folder() const override { return parts_.folder; }
  /// Kinds that the mirror does not follow are read from the cluster.
  Result<std::unique_ptr<registry::Registry>> fork(const std::set<krm::GroupKind>& kinds) override;
  Ports ports_over(registry::Registry& registry, const render::FunctionRunner& runner,
                   const std::string& scratch) const override;
  std::unique_ptr<render::FunctionRunner> make_runner(
      const registry::Registry& registry) const override;
  controllers::World world(registry::Registry& registry, const Ports& ports) const override;

 private:
  const Parts parts_;
};

/// For a server without storage of its own: `drafts: local` is rejected.
gitpackages::Options git_options_of_cluster(registry::Registry& registry, const Clock& clock,
                                            const std::string& folder, bool local_repositories);

}  // namespace portico::engine
