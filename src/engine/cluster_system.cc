#include "engine/cluster_system.h"

#include <utility>

#include "api/kinds.h"
#include "drafts/drafts.h"
#include "engine/partial_fork.h"

namespace portico::engine {

gitpackages::Options git_options_of_cluster(registry::Registry& registry, const Clock& clock,
                                            const std::string& folder, bool local_repositories) {
  return {.registry = registry,
          .clock = clock,
          .local_repositories = local_repositories,
          .local_drafts = false,
          .mirrors = folder + "/mirrors"};
}

Result<std::unique_ptr<registry::Registry>> ClusterSystem::fork(
    const std::set<krm::GroupKind>& kinds) {
  std::set<krm::GroupKind> held = {api::repository_kind(), api::revision_kind(),
                                   api::variant_kind(), api::variant_set_kind()};
  // Secrets may be read one by one, but not listed.
  const krm::GroupKind secrets{"", "Secret"};
  for (const krm::GroupKind& kind : kinds)
    if (kind != secrets && parts_.known.list({.type = kind, .limit = 1})) held.insert(kind);
  PORTICO_TRY(auto fork, parts_.known.fork());
  for (const krm::GroupKind& kind : fork->kinds()) held.insert(kind);
  return make_partial_fork({.fork = std::move(fork),
                            .held = std::move(held),
                            .below = parts_.known,
                            .read = [&parts = parts_, secrets](const krm::ObjectKey& key) {
                              return key.type == secrets ? parts.remote.get(key)
                                                         : parts.known.get(key);
                            }});
}

System::Ports ClusterSystem::ports_over(registry::Registry& registry,
                                        const render::FunctionRunner& runner,
                                        const std::string& scratch) const {
  const ClusterProcess& process = parts_.process;
  Ports out;
  out.repository_health = std::make_unique<controllers::RepositoryHealth>();
  gitpackages::Options options =
      git_options_of_cluster(registry, process.clock(), parts_.folder, parts_.local_repositories);
  options.scratch = scratch;
  options.log = parts_.log;
  options.stopped = process.programs();
  out.git = gitpackages::make_git_packages(options);
  out.packages = controllers::reporting_to(*out.repository_health, registry, *out.git);
  out.drafts = drafts::make_drafts(registry, *out.packages, runner);
  return out;
}

std::unique_ptr<render::FunctionRunner> ClusterSystem::make_runner(
    const registry::Registry& registry) const {
  return parts_.process.make_runner(registry, nullptr);
}

controllers::World ClusterSystem::world(registry::Registry& registry, const Ports& ports) const {
  return parts_.process.world(registry, *ports.packages, *ports.drafts, *ports.repository_health);
}

}  // namespace portico::engine
