// The whole system in this process, on one state folder: store, repositories, controllers.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/meter.h"
#include "base/stop.h"
#include "cli/context.h"
#include "controllers/all.h"
#include "controllers/manager.h"
#include "controllers/plan.h"
#include "controllers/reach.h"
#include "drafts/drafts.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "render/function_runner.h"
#include "work/worker_pool.h"

namespace portico::cli {

class Engine {
 public:
  /// Locks the state folder: kConflict names the process that has it.
  /// `log`: null for one of a command, which tells on standard error what goes wrong. `meter`: may
  /// be null, else it must outlive the engine.
  static Result<std::unique_ptr<Engine>> open(const Context& context,
                                              std::shared_ptr<Log> log = nullptr,
                                              Meter* meter = nullptr);
  ~Engine();

  registry::Registry& registry() { return *registry_; }
  packages::PackageStore& packages() { return *ports_.packages; }
  drafts::Drafts& drafts() { return *ports_.drafts; }
  /// The same over another registry. With `scratch` git repositories are written to below that
  /// folder only.
  struct Ports {
    std::unique_ptr<controllers::Reach> reach;
    std::unique_ptr<packages::PackageStore> git, packages;  // the second over the first
    std::unique_ptr<drafts::Drafts> drafts;
  };
  Ports ports_over(registry::Registry& registry, const render::FunctionRunner& runner,
                   const std::string& scratch = "") const;
  /// With the FunctionConfigs of `registry`, which must outlive it.
  std::unique_ptr<render::FunctionRunner> make_runner(const registry::Registry& registry) const;
  /// What controllers work on.
  controllers::World world(registry::Registry& registry, const Ports& ports) const;
  Log& log() { return *log_; }
  const Clock& clock() const { return clock_; }
  std::string now() const;  // RFC 3339
  const std::string& folder() const { return folder_; }

  /// Runs the controllers until nothing is left to do, with a progress bar. kUnavailable where the
  /// time is over first. What was done; what failed for good is among its errors,
  /// where `asked` are the objects that somebody waits for.
  Result<controllers::Plan> settle(Terminal& terminal, const std::set<krm::ObjectKey>& asked = {});

  /// What the controllers may take.
  std::chrono::milliseconds time_left() const;
  /// kUnavailable for what has to end; `what` and what was being worked on last.
  Error out_of_time(std::string_view what) const;

  /// Runs the controllers until `stop` is true, looking at the repositories every `resync`. Writes
  /// what they are about to standard error each time `dump` says true.
  Result<Done> serve(const std::atomic<bool>& stop, std::chrono::seconds resync,
                     const std::function<bool()>& dump);

 private:
  Engine() = default;
  bool stopped() const { return stop_(); }
  void note_running(const controllers::Manager& manager);
  void print_dump(const controllers::Manager& manager) const;
  std::unique_ptr<controllers::Manager> make_manager(const controllers::World& world,
                                                     work::PoolObserver* observer = nullptr);

  std::string folder_;
  StopSource stopping_;  // programs that run for a function end
  std::string running_;  // the objects that were worked on when time was nearly over
  Globals globals_;
  Deadline deadline_;
  Stop stop_;  // when somebody asks for it, and at the deadline
  SystemClock clock_;
  std::shared_ptr<Log> log_;
  Meter* meter_ = nullptr;  // may be null
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<render::FunctionRunner> runner_;
  Ports ports_;
};

/// The person at the command line: git's user.name and user.email, else the system's user.
packages::Actor current_actor();

}  // namespace portico::cli
