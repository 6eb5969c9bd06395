// The whole system in this process, on one state folder: store, repositories, controllers.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "cli/context.h"
#include "controllers/manager.h"
#include "controllers/reach.h"
#include "drafts/drafts.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "render/function_runner.h"

namespace portico::cli {

class Engine {
 public:
  /// Locks the state folder: kConflict names the process that has it.
  static Result<std::unique_ptr<Engine>> open(const Context& context);
  ~Engine();

  registry::Registry& registry() { return *registry_; }
  packages::PackageStore& packages() { return *ports_.packages; }
  drafts::Drafts& drafts() { return *ports_.drafts; }
  /// The same over another registry: for plans, which only build.
  struct Ports {
    std::unique_ptr<packages::PackageStore> git, packages;  // the second over the first
    std::unique_ptr<drafts::Drafts> drafts;
  };
  Ports ports_over(registry::Registry& registry);
  const Clock& clock() const { return clock_; }
  std::string now() const;  // RFC 3339
  const std::string& folder() const { return folder_; }

  /// Runs the controllers until nothing is left to do, with a progress bar. kUnavailable where the
  /// time is over first. What failed for good is in the objects' conditions, not an error here.
  Result<Done> settle(const WaitOptions& options, Terminal& terminal);

  /// Runs the controllers until `stop` is true, looking at the repositories every `resync`.
  Result<Done> serve(const std::atomic<bool>& stop, std::chrono::seconds resync);

 private:
  Engine() = default;
  std::unique_ptr<controllers::Manager> make_manager(std::chrono::seconds resync);
  std::unique_ptr<render::FunctionRunner> make_runner(const Globals& globals) const;

  std::string folder_;
  std::atomic<bool> stopping_ = false;  // programs that run for a function end
  int workers_ = 0;
  SystemClock clock_;
  std::unique_ptr<Log> log_;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<render::FunctionRunner> runner_;
  controllers::Reach reach_;
  Ports ports_;
};

/// The person at the command line: git's user.name and user.email, else the system's user.
packages::Actor current_actor();

}  // namespace portico::cli
