// What a rehearsal copies: a system with its store, its repositories and its controllers.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "base/log.h"
#include "base/result.h"
#include "controllers/all.h"
#include "controllers/repository_health.h"
#include "drafts/drafts.h"
#include "krm/meta.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "render/function_runner.h"

namespace portico::engine {

class System {
 public:
  virtual ~System() = default;

  virtual registry::Registry& registry() = 0;
  virtual packages::PackageStore& packages() = 0;
  virtual Log& log() = 0;
  /// Where scratch folders may be made.
  virtual const std::string& folder() const = 0;

  /// Like registry().fork(). Objects of `kinds` can be written in it, even if the system does not
  /// follow those kinds.
  virtual Result<std::unique_ptr<registry::Registry>> fork(
      const std::set<krm::GroupKind>& kinds) = 0;

  struct Ports {
    std::unique_ptr<controllers::RepositoryHealth> repository_health;
    std::unique_ptr<packages::PackageStore> git, packages;  // the second over the first
    std::unique_ptr<drafts::Drafts> drafts;
  };
  /// The ports over another registry. With `scratch`, git repositories are written only below that
  /// folder.
  virtual Ports ports_over(registry::Registry& registry, const render::FunctionRunner& runner,
                           const std::string& scratch) const = 0;
  /// Uses the FunctionConfigs of `registry`, which must outlive it.
  virtual std::unique_ptr<render::FunctionRunner> make_runner(
      const registry::Registry& registry) const = 0;
  /// What controllers work on.
  virtual controllers::World world(registry::Registry& registry, const Ports& ports) const = 0;
};

}  // namespace portico::engine
