// A process that works on a cluster until it is stopped: its connections, readiness and shutdown.
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

/// Thread-safe.
class ClusterProcess {
 public:
  /// What happens to pending calls when the process is told to stop.
  enum class AtEnd {
    kCutOff,
    kFinish,  // if it was ready, they continue until the controllers have stopped; before that it
              // only waits, and calls are cut off
  };
  struct Options {
    std::string program;   // "portico-server": the program's name, also its field manager
    std::string lease_ns;  // for Leases; "": the pod's, or the kubeconfig context's
    std::chrono::seconds lease_duration{15};
    AtEnd at_end = AtEnd::kCutOff;
    std::shared_ptr<Log> log;  // not null
    Meter* meter = nullptr;    // may be null, else it must outlive the process
    Tracer* tracer = nullptr;  // like `meter`
  };
  /// Does not contact the cluster yet. The cluster is that of target_of_pod().
  static Result<std::unique_ptr<ClusterProcess>> connect(const Globals& globals, Options options);
  ClusterProcess(const ClusterProcess&) = delete;
  ClusterProcess& operator=(const ClusterProcess&) = delete;

  const Globals& globals() const { return globals_; }
  const Clock& clock() const { return clock_; }
  const std::string& cluster() const { return cluster_; }  // "https://10.0.0.1:6443"
  const std::string& lease_ns() const { return options_.lease_ns; }
  const std::string& name() const { return name_; }  // unique among all processes
  Log& log() const { return *options_.log; }
  cluster::Api& api() { return *api_; }
  /// For Leases: its calls time out early enough to keep one, and are never cut off.
  cluster::Api& lease_api() { return *lease_api_; }
  /// Requested when calls are to be cut off, and when programs are to end.
  std::stop_token calls() const { return calls_.get_token(); }
  Stop programs() const { return programs_.stop(); }

  /// Runs `work` in a thread until it ends by itself, or until `stop` is true (set by a signal, see
  /// stop.h) and it has then ended. Returns the result of `work`, or the error passed to end().
  Result<Done> run(const std::atomic<bool>& stop,
                   const std::function<Result<Done>(const std::stop_token&)>& work);
  /// Ok if the process does its work or is a standby; else why it is not ready.
  Result<Done> ready() const;

  // For the implementation of `work`.

  /// "": ready.
  void say_ready(std::string not_ready);
  bool is_over() const;
  /// Waits some seconds, or until the process is ending: before a retry.
  void pause();
  /// Ends the process; `why` unless the end was requested.
  void end(std::optional<Error> why = std::nullopt);
  void cut_off() { calls_.request_stop(); }
  /// Waits until each kind has been listed once or the process is ending. Retries kinds that do not
  /// answer and reports them as not ready. kInvalid if the cluster rejects a request.
  Result<Done> wait_for_lists(const registry::Registry& registry,
                              const std::vector<krm::GroupKind>& kinds);

  /// The function runner of a process without a state folder: the built-in functions, and what the
  /// options add. `registry` provides the FunctionConfigs and must outlive it; `meter` may be null.
  std::unique_ptr<render::FunctionRunner> make_runner(const registry::Registry& registry,
                                                      Meter* meter) const;
  /// What controllers work on. Arguments must outlive it.
  controllers::World world(registry::Registry& registry, packages::PackageStore& packages,
                           drafts::Drafts& drafts,
                           controllers::RepositoryHealth& repository_health) const;

  struct Controllers {
    registry::Registry& registry;
    packages::PackageStore& packages;
    bool repositories = false;  // controllers::all_controllers(), else fleet_controllers()
    std::chrono::seconds resync{0};
    controllers::Share* share = nullptr;  // as controllers::World::share
  };
  /// Runs them until the process is ending; running reconciles finish first.
  Result<Done> run_controllers(const Controllers& run);

 private:
  explicit ClusterProcess(const Globals& globals, Options options)
      : globals_(globals), options_(std::move(options)) {}

  static std::string own_name();

  struct State {
    std::string not_ready = "not connected to the cluster yet";
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
