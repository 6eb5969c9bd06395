// What processes that work on a cluster have in common: the connection, their name, functions, and
// the controllers from their start to their end.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/meter.h"
#include "base/result.h"
#include "base/stop.h"
#include "base/tracer.h"
#include "cluster/api.h"
#include "controllers/share.h"
#include "engine/context.h"
#include "http/client.h"
#include "krm/meta.h"
#include "packages/package_store.h"
#include "registry/registry.h"
#include "render/function_runner.h"

namespace portico::engine {

/// Unlike that of any other process: of a Lease's holder.
std::string own_name();

Result<std::unique_ptr<cluster::Api>> connect(const http::ClientOptions& client,
                                              cluster::ApiOptions options);

/// What runs functions for a process without a state folder: those built in, and as the options
/// say. `registry` has the FunctionConfigs and outlives it; programs end when `stopped` comes.
std::unique_ptr<render::FunctionRunner> make_runner_for(const registry::Registry& registry,
                                                        const Globals& globals, Meter* meter,
                                                        const Stop& stopped);

/// What works on a cluster.
struct ControllersRun {
  registry::Registry& registry;
  packages::PackageStore& packages;
  const Globals& globals;
  const Clock& clock;
  Log& log;
  Meter* meter = nullptr;     // may be null
  Tracer* tracer = nullptr;   // may be null
  Stop stopped;               // functions end, and what fails is no news any more
  bool repositories = false;  // controllers::all_controllers(), else fleet_controllers()
  std::chrono::seconds resync{0};
  controllers::Share* share = nullptr;  // as controllers::World::share
};
/// Starts the controllers, calls `while_they_work`, which blocks for as long as they are to work,
/// and stops them: what is under way ends first.
Result<Done> run_controllers(const ControllersRun& run,
                             const std::function<void()>& while_they_work);

/// Until each of the kinds has been listed once, or `is_over` says that nobody waits: what does not
/// answer is asked again every three seconds (`pause`), and told to `say` before. kInvalid for what
/// is refused.
Result<Done> wait_for_lists(const registry::Registry& registry,
                            const std::vector<krm::GroupKind>& kinds,
                            const std::function<bool()>& is_over,
                            const std::function<void(const std::string& why)>& say,
                            const std::function<void()>& pause);

}  // namespace portico::engine
