// The whole system in this process, on one state folder: store, repositories, controllers.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/meter.h"
#include "base/monitor.h"
#include "base/stop.h"
#include "base/tracer.h"
#include "controllers/all.h"
#include "controllers/journal.h"
#include "controllers/manager.h"
#include "controllers/plan.h"
#include "controllers/repository_health.h"
#include "drafts/drafts.h"
#include "engine/context.h"
#include "engine/engine.h"
#include "engine/fleet_progress.h"
#include "engine/stop.h"
#include "engine/system.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "render/function_runner.h"
#include "work/worker_pool.h"

namespace portico::engine {

class EmbeddedEngine : public Engine, public System {
 public:
  enum class Use {
    kAlone,  // reads and writes: locks the folder, waiting for its turn
    kServe,  // the same, but does not wait: kUnavailable names the process that holds the lock
    kRead,   // reads the current state without waiting; git writes go to a scratch folder
  };
  struct Options {
    std::string folder;
    Use use = Use::kAlone;
    /// Null: the log of a command, which reports problems on standard error.
    std::shared_ptr<Log> log = nullptr;
    Meter* meter = nullptr;    // may be null, else it must outlive the engine
    Tracer* tracer = nullptr;  // like `meter`; for kServe
    /// For kServe: only Repository controllers run; other processes handle variants, sets and
    /// approvals.
    bool without_controllers = false;
    /// store::EmbeddedOptions::owners_elsewhere.
    bool owners_elsewhere = false;
    /// For kAlone: polled while waiting for the lock; true ends the wait (kConflict).
    std::function<bool()> give_way = {};
  };
  static Result<std::unique_ptr<EmbeddedEngine>> open(const Context& context, Options options);
  ~EmbeddedEngine() override;

  registry::Registry& registry() override { return *registry_; }
  packages::PackageStore& packages() override { return *ports_.packages; }
  drafts::Drafts& drafts() override { return *ports_.drafts; }
  const Clock& clock() const override { return clock_; }
  bool is_served() const override { return false; }
  Result<controllers::Plan> settle(terminal::Terminal& terminal,
                                   const std::set<krm::ObjectKey>& asked = {}) override;
  Result<Rehearsed> rehearse(const Changes& changes, terminal::Terminal& terminal) override;

  Log& log() override { return *log_; }
  const std::string& folder() const override { return folder_; }
  Result<std::unique_ptr<registry::Registry>> fork(const std::set<krm::GroupKind>&) override {
    return registry_->fork();
  }
  Ports ports_over(registry::Registry& registry, const render::FunctionRunner& runner,
                   const std::string& scratch) const override;
  void remove_left_containers() const;
  std::unique_ptr<render::FunctionRunner> make_runner(
      const registry::Registry& registry) const override;
  controllers::World world(registry::Registry& registry, const Ports& ports) const override;
  Tracer* tracer() const { return tracer_; }  // may be null

  /// The time left for the controllers.
  std::chrono::milliseconds time_left() const;
  /// kUnavailable for work that ran out of time: `what`, and the last objects in progress.
  Error out_of_time(std::string_view what) const;

  /// Runs the controllers until `stop` is true, and syncs the repositories every `resync`. Writes
  /// their state to standard error whenever `dump` returns true.
  Result<Done> serve(const std::atomic<bool>& stop, std::chrono::seconds resync,
                     const std::function<bool()>& dump);
  /// While serving: waits until the controllers have no work left for `asked` and what follows from
  /// it (empty: for anything). Returns what they did after registry version `since` (0: from now
  /// on). Thread-safe. kUnavailable if `stop` is requested or the server stops.
  Result<controllers::Plan> wait_settled(registry::ResourceVersion since,
                                         const std::set<krm::ObjectKey>& asked,
                                         const std::function<void(const FleetProgress&)>& report,
                                         const std::stop_token& stop);
  /// While serving: the state that serve() writes for `dump`. Thread-safe.
  Result<std::string> dump();

 private:
  EmbeddedEngine() = default;
  bool stopped() const { return stop_(); }
  void note_running(const controllers::Manager& manager);
  /// What was done, with failures: those of `asked` and what follows from it.
  Result<controllers::Plan> told(controllers::Plan done, const registry::Registry& before,
                                 const std::set<krm::ObjectKey>& asked,
                                 const std::map<krm::ObjectKey, Error>& failing) const;
  std::string dump_of(const controllers::Manager& manager) const;
  std::unique_ptr<controllers::Manager> make_manager(const controllers::World& world,
                                                     work::PoolObserver* observer = nullptr);

  std::string folder_;
  std::string scratch_;                      // with kRead; removed at the end
  std::optional<ShutdownGuard> unfinished_;  // with kAlone and kServe
  StopSource stopping_;                      // ends programs that run functions
  std::string running_;                      // the objects in progress shortly before the deadline
  Globals globals_;
  Deadline deadline_;
  Stop stop_;  // true when requested, and at the deadline
  SystemClock clock_;
  std::shared_ptr<Log> log_;
  Meter* meter_ = nullptr;    // may be null
  Tracer* tracer_ = nullptr;  // may be null
  bool without_controllers_ = false;
  std::unique_ptr<registry::Registry> registry_;
  std::unique_ptr<render::FunctionRunner> runner_;
  Ports ports_;
  /// While serving: the manager, its records, and how many callers wait for it.
  struct Serving {
    controllers::Manager* manager = nullptr;
    const controllers::Journal* journal = nullptr;
    const ProgressCounter* tally = nullptr;
    std::size_t waiting = 0;
    bool over = false;
  };
  Monitor<Serving> serving_;
  /// Keeps the manager alive for a waiting caller.
  class Waiting;
};

}  // namespace portico::engine
