#include "engine/cluster_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <random>
#include <thread>
#include <utility>

#include "cluster/lease.h"
#include "controllers/action_logger.h"
#include "controllers/all.h"
#include "controllers/manager.h"
#include "controllers/measures.h"
#include "controllers/repository_health.h"
#include "drafts/drafts.h"
#include "engine/function_configs.h"
#include "engine/stop.h"
#include "engine/target.h"
#include "engine/version.h"
#include "fnrun/runners.h"
#include "http/client.h"

namespace portico::engine {

namespace {

constexpr std::chrono::seconds kRetry{3};

Result<std::unique_ptr<cluster::Api>> connected(const http::ClientOptions& client,
                                                cluster::ApiOptions options) {
  PORTICO_TRY(auto connection, http::Client::make(client));
  return std::make_unique<cluster::Api>(std::move(connection), std::move(options));
}

}  // namespace

std::string ClusterProcess::own_name() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  std::random_device random;
  return fmt::format("{}_{:08x}{:08x}", host.data(), random(), random());
}

Result<std::unique_ptr<ClusterProcess>> ClusterProcess::connect(const Globals& globals,
                                                                Options options) {
  std::unique_ptr<ClusterProcess> out(new ClusterProcess(globals, std::move(options)));
  const std::string& program = out->options_.program;
  PORTICO_TRY(kubeconfig::Target target, target_of_pod(globals, out->clock_));
  target.client.user_agent = fmt::format("{}/{}", program, version());
  out->cluster_ = target.client.server;
  if (out->options_.lease_ns.empty()) out->options_.lease_ns = target.ns;
  PORTICO_TRY(out->api_, connected(target.client, {.field_manager = program,
                                                   .stop = out->calls(),
                                                   .meter = out->options_.meter}));
  const auto time = cluster::Lease::call_time(out->options_.lease_duration);
  PORTICO_TRY(out->lease_api_, connected(target.client, {.field_manager = program,
                                                         .time = [time] { return time; },
                                                         .meter = out->options_.meter}));
  return out;
}

Result<Done> ClusterProcess::run(const std::atomic<bool>& stop,
                                 const std::function<Result<Done>(const std::stop_token&)>& work) {
  std::atomic<bool> done = false;
  Result<Done> ended = Done{};
  std::jthread worker([&](const std::stop_token& token) {
    const std::stop_callback ends(token, [this] { end(); });
    ended = work(token);
    done = true;
    end_wait_for_signal();
  });
  while (!stop && !done) wait_for_signal();
  worker.request_stop();
  worker.join();
  const auto why = state_.with([](const State& state) { return state.why; });
  return why ? Result<Done>(*why) : std::move(ended);
}

Result<Done> ClusterProcess::ready() const {
  return state_.with([](const State& state) -> Result<Done> {
    if (state.not_ready.empty()) return Done{};
    return unavailable("{}", state.not_ready);
  });
}

void ClusterProcess::say_ready(std::string not_ready) {
  state_.change([&](State& state) {
    if (!state.over) state.not_ready = std::move(not_ready);
  });
}

bool ClusterProcess::is_over() const {
  return state_.with([](const State& state) { return state.over; });
}

void ClusterProcess::pause() {
  state_.wait_until(
      std::chrono::steady_clock::now() + kRetry, [](const State& state) { return state.over; },
      [](State&) {});
}

void ClusterProcess::end(std::optional<Error> why) {
  programs_.ask();
  const bool was_ready = state_.change([&](State& state) {
    // An error after the stop does not count as a failure.
    if (why && !state.over) state.why = std::move(why);
    state.over = true;
    return std::exchange(state.not_ready, "shutting down").empty();
  });
  if (options_.at_end == AtEnd::kCutOff || !was_ready) cut_off();
}

Result<Done> ClusterProcess::wait_for_lists(const registry::Registry& registry,
                                            const std::vector<krm::GroupKind>& kinds) {
  for (const krm::GroupKind& kind : kinds) {
    for (;;) {
      const auto listed = registry.list({.type = kind, .limit = 1});
      if (listed || is_over()) break;
      if (listed.error().code == Code::kInvalid) return listed.error();
      say_ready(listed.error().text());
      pause();
    }
  }
  return Done{};
}

std::unique_ptr<render::FunctionRunner> ClusterProcess::make_runner(
    const registry::Registry& registry, Meter* meter) const {
  fnrun::RunnersOptions options;
  options.function_runner = globals_.function_runner;
  options.containers = globals_.containers;
  options.cache_bytes = std::size_t{64} << 20;
  options.meter = meter;
  options.exec.limits.stopped = programs();
  options.container.limits.stopped = options.evaluator.stopped = options.exec.limits.stopped;
  options.configs = [&registry] { return function_configs(registry); };
  return std::make_unique<fnrun::Runners>(std::move(options));
}

controllers::World ClusterProcess::world(registry::Registry& registry,
                                         packages::PackageStore& packages, drafts::Drafts& drafts,
                                         controllers::RepositoryHealth& repository_health) const {
  return {.registry = registry,
          .packages = packages,
          .drafts = drafts,
          .repository_health = repository_health,
          .clock = clock_,
          .workers = globals_.workers > 0 ? globals_.workers : 32,
          .events_expire = true,
          .stopped = programs()};
}

Result<Done> ClusterProcess::run_controllers(const Controllers& run) {
  controllers::RepositoryHealth repository_health;
  const auto packages = controllers::reporting_to(repository_health, run.registry, run.packages);
  const auto runner = make_runner(run.registry, options_.meter);
  const auto drafts = drafts::make_drafts(run.registry, *packages, *runner);
  controllers::World world = this->world(run.registry, *packages, *drafts, repository_health);
  world.resync = run.resync;
  world.share = run.share;
  controllers::ActionLogger narrator(log(), repository_health, world.stopped);
  std::optional<controllers::Measures> measures;
  if (options_.meter != nullptr) measures.emplace(*options_.meter, narrator, narrator);
  world.observer = measures ? static_cast<controllers::Observer*>(&*measures) : &narrator;
  const auto manager = controllers::Manager::make(
      {.registry = run.registry,
       .log = log(),
       .controllers = run.repositories ? controllers::all_controllers(world)
                                       : controllers::fleet_controllers(world),
       .observer = measures ? static_cast<work::PoolObserver*>(&*measures) : &narrator,
       .tracer = options_.tracer});
  std::unique_ptr<Meter::Reading> reading;
  if (options_.meter != nullptr)
    reading =
        controllers::measure_state(*options_.meter, *manager, repository_health, run.registry);
  PORTICO_DO(manager->start());
  say_ready("");
  log().info("works");
  state_.wait([](const State& state) { return state.over; }, [](State&) {});
  cut_off();
  manager->stop();
  return Done{};
}

}  // namespace portico::engine
