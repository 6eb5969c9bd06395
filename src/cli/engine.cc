#include "cli/engine.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>

#include "api/function_config.h"
#include "api/kinds.h"
#include "base/printable.h"
#include "base/time.h"
#include "cli/state.h"
#include "cli/stop.h"
#include "controllers/all.h"
#include "controllers/dump.h"
#include "controllers/journal.h"
#include "controllers/measures.h"
#include "controllers/narrator.h"
#include "controllers/planner.h"
#include "fnrun/runners.h"
#include "gitpackages/git_packages.h"
#include "packages/lineage.h"
#include "store/embedded.h"
#include "telemetry/log.h"

#ifndef PORTICO_VERSION
#define PORTICO_VERSION "0.0.0"
#endif

namespace portico::cli {
namespace {

constexpr int kSecondsToSettle = 600;  // where --timeout does not say
// Then what is under way is written down: a moment later it will have been stopped.
constexpr std::chrono::milliseconds kNearlyOver{300};

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(const Context& context, std::shared_ptr<Log> log,
                                             Meter* meter) {
  std::unique_ptr<Engine> engine(new Engine);
  PORTICO_TRY(engine->folder_, find_state(context.globals.state));
  engine->globals_ = context.globals;
  engine->deadline_ = context.deadline;
  engine->stop_ = engine->stopping_.stop(context.deadline.at());
  engine->meter_ = meter;
  engine->log_ =
      log != nullptr
          ? std::move(log)
          : telemetry::make_log(telemetry::LogFormat::kText,
                                context.globals.verbose > 0 ? LogLevel::kDebug : LogLevel::kWarning,
                                std::cerr);
  store::EmbeddedOptions options;
  options.folder = engine->folder_;
  options.clock = &engine->clock_;
  options.indexes = packages::indexes();
  PORTICO_TRY(engine->registry_, store::open_embedded(std::move(options)));
  engine->runner_ = engine->make_runner(*engine->registry_);
  engine->ports_ = engine->ports_over(*engine->registry_, *engine->runner_);
  return engine;
}

std::unique_ptr<render::FunctionRunner> Engine::make_runner(
    const registry::Registry& registry) const {
  fnrun::RunnersOptions options;
  options.function_runner = globals_.function_runner;
  options.containers = globals_.containers;
  options.cache_bytes = std::size_t{64} << 20;
  // Those of plans are others.
  if (&registry == registry_.get()) options.meter = meter_;
  options.exec.limits.stopped = stop_;
  options.container.limits.stopped = options.evaluator.stopped = options.exec.limits.stopped;
  options.configs = [registry = &registry] {
    std::vector<api::FunctionConfig> configs;
    const auto listed = registry->list({.type = api::function_config_kind()});
    if (!listed) return configs;
    for (const json::Value& object : listed->objects)
      if (auto config = api::decode<api::FunctionConfig>(object))
        configs.push_back(*std::move(config));
    return configs;
  };
  return std::make_unique<fnrun::Runners>(std::move(options));
}

Engine::Ports Engine::ports_over(registry::Registry& registry, const render::FunctionRunner& runner,
                                 const std::string& scratch) const {
  Ports out;
  out.reach = std::make_unique<controllers::Reach>();
  out.git = gitpackages::make_git_packages({.registry = registry,
                                            .clock = clock_,
                                            .mirrors = folder_ + "/mirrors",
                                            .scratch = scratch,
                                            .log = log_,
                                            .meter = meter_,
                                            .stopped = stop_});
  out.packages = controllers::reporting_to(*out.reach, registry, *out.git);
  out.drafts = drafts::make_drafts(registry, *out.packages, runner);
  return out;
}

Engine::~Engine() = default;

std::string Engine::now() const { return rfc3339(clock_.now()); }

controllers::World Engine::world(registry::Registry& registry, const Ports& ports) const {
  return {.registry = registry,
          .packages = *ports.packages,
          .drafts = *ports.drafts,
          .reach = *ports.reach,
          .clock = clock_,
          .workers = globals_.workers > 0 ? globals_.workers : 32,
          .stopped = stop_};
}

std::unique_ptr<controllers::Manager> Engine::make_manager(const controllers::World& world,
                                                           work::PoolObserver* observer) {
  return controllers::Manager::make({.registry = *registry_,
                                     .log = *log_,
                                     .controllers = controllers::all_controllers(world),
                                     .observer = observer});
}

std::chrono::milliseconds Engine::time_left() const {
  return deadline_.left(std::chrono::seconds(kSecondsToSettle));
}

Error Engine::out_of_time(std::string_view what) const {
  return unavailable("{} after {} s{}; run it again to go on, or give it more time with --timeout",
                     what, deadline_.seconds() > 0 ? deadline_.seconds() : kSecondsToSettle,
                     running_)
      .because(Reason::kTimeout);
}

void Engine::note_running(const controllers::Manager& manager) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<work::Instant, std::string>> all;
  for (const work::PoolState& queue : manager.queues())
    for (const auto& one : queue.running) all.emplace_back(one.since, one.key.text());
  if (all.empty()) return;
  std::sort(all.begin(), all.end());
  running_.clear();
  for (std::size_t i = 0; i < std::min(all.size(), kMost); ++i)
    running_ += (i == 0 ? ", with " : ", ") + all[i].second;
  if (all.size() > kMost) running_ += fmt::format(" and {} more", all.size() - kMost);
  running_ += " under way";
}

Result<controllers::Plan> Engine::settle(Terminal& terminal,
                                         const std::set<krm::ObjectKey>& asked) {
  PORTICO_TRY(const auto before, registry_->fork());
  controllers::Journal journal(false);
  controllers::World world = this->world(*registry_, ports_);
  world.observer = &journal;
  const auto manager = make_manager(world);
  PORTICO_DO(manager->start());
  std::size_t most = 0;
  running_.clear();
  // What was stopped has settled, too, and not by itself.
  const bool settled =
      manager->wait_settled(time_left(),
                            [&](const controllers::Progress& progress) {
                              most = std::max(
                                  most, progress.reconciled + progress.waiting + progress.running);
                              terminal.progress("reconciling", progress.reconciled, most);
                              if (time_left() < kNearlyOver) note_running(*manager);
                            }) &&
      !stopped();
  if (running_.empty()) note_running(*manager);
  if (!settled) stopping_.ask();  // what still runs is not waited for
  manager->stop();
  stopping_.take_back();
  terminal.progress_done();
  if (!settled) return out_of_time("not settled");
  controllers::Plan done = journal.plan();
  PORTICO_DO(controllers::compare(done, *before, *registry_, asked));
  controllers::add_untold(done, manager->failing());
  return done;
}

Result<Done> Engine::serve(const std::atomic<bool>& stop, std::chrono::seconds resync,
                           const std::function<bool()>& dump) {
  controllers::World world = this->world(*registry_, ports_);
  world.resync = resync;
  controllers::Narrator narrator(*log_, *ports_.reach, world.stopped);
  std::optional<controllers::Measures> measures;
  if (meter_ != nullptr) measures.emplace(*meter_, narrator, narrator);
  world.observer = measures ? static_cast<controllers::Observer*>(&*measures) : &narrator;
  const auto manager =
      make_manager(world, measures ? static_cast<work::PoolObserver*>(&*measures) : &narrator);
  std::unique_ptr<Meter::Reading> reading;
  if (meter_ != nullptr)
    reading = controllers::measure_state(*meter_, *manager, *ports_.reach, *registry_);
  PORTICO_DO(manager->start());
  while (!stop) {
    wait_for_signal();
    if (dump()) print_dump(*manager);
  }
  stopping_.ask();
  manager->stop();
  return Done{};
}

void Engine::print_dump(const controllers::Manager& manager) const {
  const auto cache = static_cast<const fnrun::Runners&>(*runner_).cache_counts();
  const std::string text = fmt::format(
      "---- portico {}, process {}, store at {}\n{}"
      "function results: {} kept, {} bytes, {} hits, {} misses\n---- end\n",
      PORTICO_VERSION, getpid(), registry_->version(),
      controllers::dump(manager.queues(), ports_.reach->silent(), std::chrono::steady_clock::now()),
      cache.entries, cache.bytes, cache.hits, cache.misses);
  std::cerr << printable(text) << std::flush;
}

namespace {

// What `git config KEY` says, without starting git for it: the variables that git itself reads
// first.
std::string from_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : "";
}

}  // namespace

packages::Actor current_actor() {
  packages::Actor actor{from_environment("GIT_AUTHOR_NAME"), from_environment("GIT_AUTHOR_EMAIL")};
  if (actor.name.empty()) {
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (getpwuid_r(getuid(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
      actor.name = entry.pw_name;
    if (actor.name.empty()) actor.name = "portico";
  }
  if (actor.email.empty()) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    actor.email = actor.name + "@" + host.data();
  }
  return actor;
}

}  // namespace portico::cli
