#include "engine/cluster_calls.h"

#include <unistd.h>

#include <array>
#include <optional>
#include <random>
#include <utility>

#include "controllers/all.h"
#include "controllers/manager.h"
#include "controllers/measures.h"
#include "controllers/narrator.h"
#include "controllers/reach.h"
#include "drafts/drafts.h"
#include "engine/function_configs.h"
#include "fnrun/runners.h"

namespace portico::engine {

std::string own_name() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  std::random_device random;
  return fmt::format("{}_{:08x}{:08x}", host.data(), random(), random());
}

Result<std::unique_ptr<cluster::Api>> connect(const http::ClientOptions& client,
                                              cluster::ApiOptions options) {
  PORTICO_TRY(auto connection, http::Client::make(client));
  return std::make_unique<cluster::Api>(std::move(connection), std::move(options));
}

std::unique_ptr<render::FunctionRunner> make_runner_for(const registry::Registry& registry,
                                                        const Globals& globals, Meter* meter,
                                                        const Stop& stopped) {
  fnrun::RunnersOptions options;
  options.function_runner = globals.function_runner;
  options.containers = globals.containers;
  options.cache_bytes = std::size_t{64} << 20;
  options.meter = meter;
  options.exec.limits.stopped = stopped;
  options.container.limits.stopped = options.evaluator.stopped = stopped;
  options.configs = [&registry] { return function_configs(registry); };
  return std::make_unique<fnrun::Runners>(std::move(options));
}

Result<Done> run_controllers(const ControllersRun& run,
                             const std::function<void()>& while_they_work) {
  controllers::Reach reach;
  const auto packages = controllers::reporting_to(reach, run.registry, run.packages);
  const auto runner = make_runner_for(run.registry, run.globals, run.meter, run.stopped);
  const auto drafts = drafts::make_drafts(run.registry, *packages, *runner);
  controllers::World world{.registry = run.registry,
                           .packages = *packages,
                           .drafts = *drafts,
                           .reach = reach,
                           .clock = run.clock,
                           .workers = run.globals.workers > 0 ? run.globals.workers : 32,
                           .resync = run.resync,
                           .share = run.share,
                           .stopped = run.stopped};
  controllers::Narrator narrator(run.log, reach, world.stopped);
  std::optional<controllers::Measures> measures;
  if (run.meter != nullptr) measures.emplace(*run.meter, narrator, narrator);
  world.observer = measures ? static_cast<controllers::Observer*>(&*measures) : &narrator;
  const auto manager = controllers::Manager::make(
      {.registry = run.registry,
       .log = run.log,
       .controllers = run.repositories ? controllers::all_controllers(world)
                                       : controllers::fleet_controllers(world),
       .observer = measures ? static_cast<work::PoolObserver*>(&*measures) : &narrator,
       .tracer = run.tracer});
  std::unique_ptr<Meter::Reading> reading;
  if (run.meter != nullptr)
    reading = controllers::measure_state(*run.meter, *manager, reach, run.registry);
  PORTICO_DO(manager->start());
  while_they_work();
  manager->stop();
  return Done{};
}

Result<Done> wait_for_lists(const registry::Registry& registry,
                            const std::vector<krm::GroupKind>& kinds,
                            const std::function<bool()>& is_over,
                            const std::function<void(const std::string& why)>& say,
                            const std::function<void()>& pause) {
  for (const krm::GroupKind& kind : kinds) {
    for (;;) {
      const auto listed = registry.list({.type = kind, .limit = 1});
      if (listed || is_over()) break;
      if (listed.error().code == Code::kInvalid) return listed.error();
      say(listed.error().text());
      pause();
    }
  }
  return Done{};
}

}  // namespace portico::engine
