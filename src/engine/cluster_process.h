// A process that works on a cluster until it is stopped: its connections, whether it is ready, and
// how it ends.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/meter.h"
#include "base/monitor.h"
#include "base/result.h"
#include "base/stop.h"
#include "base/tracer.h"
#include "cluster/api.h"
#include "controllers/all.h"
#include "engine/context.h"
#include "krm/meta.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "render/function_runner.h"

namespace portico::engine {

/// Safe from any thread.
class ClusterProcess {
 public:
  /// What becomes of calls that are under way when it is told to stop.
  enum class AtEnd {
    kCutOff,
    kFinish,  // once it is ready they go on until the controllers have ended; before, there are
              // only waits
  };
  struct Options {
    std::string program;   // "portico-server": what it is called, also as owner of fields
    std::string lease_ns;  // of Leases; "": that of the pod, or of the kubeconfig's context
    std::chrono::seconds lease_duration{15};
    AtEnd at_end = AtEnd::kCutOff;
    std::shared_ptr<Log> log;  // not null
    Meter* meter = nullptr;    // may be null, else it must outlive the process
    Tracer* tracer = nullptr;  // the same
  };
  /// Nothing is asked of the cluster yet. It is that of target_of_pod().
  static Result<std::unique_ptr<ClusterProcess>> connect(const Globals& globals, Options options);
  ClusterProcess(const ClusterProcess&) = delete;
  ClusterProcess& operator=(const ClusterProcess&) = delete;

  const Globals& globals() const { return globals_; }
  const Clock& clock() const { return clock_; }
  const std::string& cluster() const { return cluster_; }  // "https://10.0.0.1:6443"
  const std::string& lease_ns() const { return options_.lease_ns; }
  const std::string& name() const { return name_; }  // unlike that of any other process
  Log& log() const { return *options_.log; }
  cluster::Api& api() { return *api_; }
  /// Its calls end in time for a Lease, and are not cut off.
  cluster::Api& lease_api() { return *lease_api_; }
  /// Comes where calls are cut off, and where programs are to end.
  std::stop_token calls() const { return calls_.get_token(); }
  Stop programs() const { return programs_.stop(); }

  /// Runs `work` in a thread until it ends by itself or `stop` is true (as set by a signal, see
  /// stop.h), and then until it has ended. What `work` said, or why it was ended.
  Result<Done> run(const std::atomic<bool>& stop,
                   const std::function<Result<Done>(const std::stop_token&)>& work);
  /// Whether it does its work, or waits to take it over; else why not.
  Result<Done> ready() const;

  // What `work` is made of.

  /// "": it is ready.
  void say_ready(std::string not_ready);
  bool is_over() const;
  /// Some seconds, or until it is over: before something is tried again.
  void pause();
  /// It is over; `why` where that is not what somebody asked for.
  void end(std::optional<Error> why = std::nullopt);
  void cut_off() { calls_.request_stop(); }
  /// Until each of the kinds has been listed once, or it is over: what does not answer is asked
  /// again, and is why it is not ready. kInvalid for what is refused.
  Result<Done> wait_for_lists(const registry::Registry& registry,
                              const std::vector<krm::GroupKind>& kinds);

  /// What runs functions for a process without a state folder: those built in, and as the options
  /// say. `registry` has the FunctionConfigs and outlives it; `meter` may be null.
  std::unique_ptr<render::FunctionRunner> make_runner(const registry::Registry& registry,
                                                      Meter* meter) const;
  /// What controllers work on; as make_runner() and what it is given.
  controllers::World world(registry::Registry& registry, packages::PackageStore& packages,
                           drafts::Drafts& drafts, controllers::Reach& reach) const;

  struct Controllers {
    registry::Registry& registry;
    packages::PackageStore& packages;
    bool repositories = false;  // controllers::all_controllers(), else fleet_controllers()
    std::chrono::seconds resync{0};
    controllers::Share* share = nullptr;  // as controllers::World::share
  };
  /// From their start until it is over: what is under way ends first.
  Result<Done> run_controllers(const Controllers& run);

 private:
  explicit ClusterProcess(const Globals& globals, Options options)
      : globals_(globals), options_(std::move(options)) {}

  static std::string own_name();

  struct State {
    std::string not_ready = "it has not reached the cluster yet";
    bool over = false;
    std::optional<Error> why;
  };

  const Globals globals_;
  Options options_;
  const std::string name_ = own_name();
  SystemClock clock_;
  std::string cluster_;
  std::stop_source calls_;
  StopSource programs_;
  std::unique_ptr<cluster::Api> api_, lease_api_;
  Monitor<State> state_;
};

}  // namespace portico::engine
