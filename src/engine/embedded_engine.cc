#include "engine/embedded_engine.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "api/kinds.h"
#include "base/printable.h"
#include "controllers/action_logger.h"
#include "controllers/all.h"
#include "controllers/dump.h"
#include "controllers/following.h"
#include "controllers/measures.h"
#include "controllers/planner.h"
#include "controllers/tee.h"
#include "engine/function_configs.h"
#include "engine/rehearsal.h"
#include "engine/scratch.h"
#include "engine/stop.h"
#include "engine/turn.h"
#include "engine/version.h"
#include "fnrun/runners.h"
#include "gitpackages/git_packages.h"
#include "packages/lineage.h"
#include "seal/secrets_cipher.h"
#include "store/embedded.h"
#include "store/layout.h"
#include "telemetry/log.h"

namespace portico::engine {
namespace {

constexpr int kSecondsToSettle = 600;  // default for --timeout
// With less time left, the objects in progress are recorded; a moment later they have been stopped.
constexpr std::chrono::milliseconds kNearlyOver{300};
// Unrequested work is left for the next command if none of it advances for this long. Longer than
// the time for which keys that depend on a hanging repository are held back (ManagerOptions).
constexpr std::chrono::milliseconds kRestHangs = std::chrono::seconds(2);

}  // namespace

Result<std::unique_ptr<EmbeddedEngine>> EmbeddedEngine::open(const Context& context,
                                                             Options wanted) {
  std::unique_ptr<EmbeddedEngine> engine(new EmbeddedEngine);
  engine->folder_ = std::move(wanted.folder);
  engine->globals_ = context.globals;
  engine->deadline_ = context.deadline;
  engine->stopping_ = context.interrupted;
  engine->stop_ = context.stop();
  engine->meter_ = wanted.meter;
  engine->tracer_ = wanted.tracer;
  engine->without_controllers_ = wanted.without_controllers;
  engine->log_ =
      wanted.log != nullptr
          ? std::move(wanted.log)
          : telemetry::make_log(telemetry::LogFormat::kText,
                                context.globals.verbose > 0 ? LogLevel::kDebug : LogLevel::kWarning,
                                std::cerr);
  PORTICO_DO(store::check_layout(engine->folder_));
  const bool killed = store::was_killed(engine->folder_);
  store::EmbeddedOptions options;
  options.folder = engine->folder_;
  options.clock = &engine->clock_;
  options.indexes = packages::indexes();
  options.owners_elsewhere = wanted.owners_elsewhere;
  const char* const keys = std::getenv("PORTICO_SECRETS_KEY");
  PORTICO_TRY(options.cipher, seal::open_cipher(engine->folder_, keys != nullptr ? keys : "",
                                                wanted.use != Use::kRead));
  options.forget_lost = context.globals.forget_lost_secrets;
  if (wanted.use == Use::kRead) {
    PORTICO_TRY(engine->registry_, store::open_snapshot(std::move(options)));
    PORTICO_TRY(engine->scratch_, make_scratch(engine->folder_, "reading"));
  } else {
    if (wanted.use == Use::kAlone) options.turn = turn_of(context, wanted.give_way);
    PORTICO_TRY(engine->registry_, store::open_embedded(std::move(options)));
    engine->unfinished_.emplace();
  }
  if (killed) gitpackages::clear_locks_of_the_dead(*engine->registry_);
  // Not for kRead: such commands are frequent and should be fast.
  if (killed && wanted.use != Use::kRead) engine->remove_left_containers();
  engine->runner_ = engine->make_runner(*engine->registry_);
  engine->ports_ = engine->ports_over(*engine->registry_, *engine->runner_, engine->scratch_);
  return engine;
}

void EmbeddedEngine::remove_left_containers() const {
  fnrun::ContainerOptions options;
  options.limits.stopped = stop_;
  const auto removed = fnrun::remove_left_containers(options);
  if (removed && *removed > 0)
    log_->warning("containers of a killed process were removed",
                  {{"containers", std::to_string(*removed)}});
}

std::unique_ptr<render::FunctionRunner> EmbeddedEngine::make_runner(
    const registry::Registry& registry) const {
  fnrun::RunnersOptions options;
  options.function_runner = globals_.function_runner;
  options.containers = globals_.containers;
  options.cache_bytes = std::size_t{64} << 20;
  // Runners of plans are not metered.
  if (&registry == registry_.get()) options.meter = meter_;
  options.exec.limits.stopped = stop_;
  options.container.limits.stopped = options.evaluator.stopped = options.exec.limits.stopped;
  options.configs = [registry = &registry] { return function_configs(*registry); };
  return std::make_unique<fnrun::Runners>(std::move(options));
}

System::Ports EmbeddedEngine::ports_over(registry::Registry& registry,
                                         const render::FunctionRunner& runner,
                                         const std::string& scratch) const {
  Ports out;
  out.repository_health = std::make_unique<controllers::RepositoryHealth>();
  out.git = gitpackages::make_git_packages({.registry = registry,
                                            .clock = clock_,
                                            .mirrors = folder_ + "/mirrors",
                                            .scratch = scratch,
                                            .log = log_,
                                            .meter = meter_,
                                            .stopped = stop_});
  out.packages = controllers::reporting_to(*out.repository_health, registry, *out.git);
  out.drafts = drafts::make_drafts(registry, *out.packages, runner);
  return out;
}

EmbeddedEngine::~EmbeddedEngine() {
  if (scratch_.empty()) return;
  ports_ = {};  // they have the folder open
  remove_scratch(scratch_);
}

controllers::World EmbeddedEngine::world(registry::Registry& registry, const Ports& ports) const {
  return {.registry = registry,
          .packages = *ports.packages,
          .drafts = *ports.drafts,
          .repository_health = *ports.repository_health,
          .clock = clock_,
          .workers = globals_.workers > 0 ? globals_.workers : 32,
          .stopped = stop_};
}

std::unique_ptr<controllers::Manager> EmbeddedEngine::make_manager(const controllers::World& world,
                                                                   work::PoolObserver* observer) {
  return controllers::Manager::make({.registry = *registry_,
                                     .log = *log_,
                                     .controllers = without_controllers_
                                                        ? controllers::repository_controllers(world)
                                                        : controllers::all_controllers(world),
                                     .observer = observer,
                                     .tracer = tracer_});
}

std::chrono::milliseconds EmbeddedEngine::time_left() const {
  return deadline_.left(std::chrono::seconds(kSecondsToSettle));
}

Error EmbeddedEngine::out_of_time(std::string_view what) const {
  return unavailable("{} after {} s{}; run the command again to continue, or increase --timeout",
                     what, deadline_.seconds() > 0 ? deadline_.seconds() : kSecondsToSettle,
                     running_)
      .because(Reason::kTimeout);
}

void EmbeddedEngine::note_running(const controllers::Manager& manager) {
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
  running_ += " in progress";
}

Result<controllers::Plan> EmbeddedEngine::settle(terminal::Terminal& terminal,
                                                 const std::set<krm::ObjectKey>& asked) {
  PORTICO_TRY(const auto before, registry_->fork());
  const auto began = std::chrono::steady_clock::now();
  controllers::Journal journal({});
  ProgressCounter tally;
  controllers::Tee both(journal, tally);
  controllers::World world = this->world(*registry_, ports_);
  world.observer = &both;
  const auto manager = make_manager(world);
  PORTICO_DO(manager->start());
  running_.clear();
  // Stopped work counts as settled as well.
  const controllers::Manager::Wanted wanted{
      .limit = time_left(), .asked = asked, .rest = kRestHangs};
  const bool settled = manager->wait_settled(wanted, [&](const controllers::Progress&) {
    draw(tally.standing(*registry_, *manager), "reconciling", terminal);
    if (time_left() < kNearlyOver) note_running(*manager);
  }) && !stopped();
  if (running_.empty()) note_running(*manager);
  const bool interrupted = stopping_.stop()();
  const auto failing = manager->failing();  // before the stop adds failures
  stopping_.ask();                          // running work is not waited for
  manager->stop();
  stopping_.take_back();
  terminal.progress_done();
  if (interrupted) return unavailable("stopped{}; run the command again to continue", running_);
  if (const FleetProgress end = tally.standing(*registry_, *manager); end.variants > 0)
    terminal.progress_summary("reconciled", summary(end, std::chrono::steady_clock::now() - began));
  if (!settled) return out_of_time("not settled");
  return told(journal.plan(), *before, asked, failing);
}

Result<controllers::Plan> EmbeddedEngine::told(
    controllers::Plan done, const registry::Registry& before, const std::set<krm::ObjectKey>& asked,
    const std::map<krm::ObjectKey, Error>& failing) const {
  PORTICO_DO(controllers::compare(done, before, *registry_, asked));
  controllers::add_untold(done, failing);
  if (asked.empty()) return done;
  PORTICO_TRY(const auto about, controllers::following(*registry_, asked));
  controllers::leave_to_others(done, about);
  return done;
}

namespace {

// Journal entries kept for waiting callers: enough for the fan-out of a fleet.
constexpr std::size_t kRemembered = 50'000;
// The limit of one wait; the caller repeats it.
constexpr std::chrono::milliseconds kLongest = std::chrono::hours(1);

// The objects to compare a plan with, as they were at a version; as they are now if that version is
// no longer kept.
Result<std::unique_ptr<registry::Registry>> registry_at(const registry::Registry& registry,
                                                        registry::ResourceVersion version) {
  std::vector<json::Value> objects;
  for (const krm::GroupKind& type :
       {api::variant_kind(), api::variant_set_kind(), api::repository_kind()}) {
    registry::Query query{.type = type};
    if (version > 0) query.version = version;
    auto all = registry.list(query);
    if (!all && all.error().reason == Reason::kExpired) return registry.fork();
    if (!all) return std::move(all).error();
    std::move(all->objects.begin(), all->objects.end(), std::back_inserter(objects));
  }
  return store::open_in_memory({}, objects, std::max<registry::ResourceVersion>(version, 1));
}

}  // namespace

Result<Done> EmbeddedEngine::serve(const std::atomic<bool>& stop, std::chrono::seconds resync,
                                   const std::function<bool()>& dump) {
  controllers::World world = this->world(*registry_, ports_);
  world.resync = resync;
  controllers::ActionLogger narrator(*log_, *ports_.repository_health, world.stopped);
  std::optional<controllers::Measures> measures;
  if (meter_ != nullptr) measures.emplace(*meter_, narrator, narrator);
  controllers::Observer& teller =
      measures ? static_cast<controllers::Observer&>(*measures) : narrator;
  controllers::Journal journal(
      {.contents = false, .registry = registry_.get(), .most = kRemembered});
  ProgressCounter tally;
  controllers::Tee kept(journal, tally), both(teller, kept);
  world.observer = &both;
  const auto manager =
      make_manager(world, measures ? static_cast<work::PoolObserver*>(&*measures) : &narrator);
  std::unique_ptr<Meter::Reading> reading;
  if (meter_ != nullptr)
    reading = controllers::measure_state(*meter_, *manager, *ports_.repository_health, *registry_);
  PORTICO_DO(manager->start());
  serving_.change([&](Serving& serving) {
    serving.manager = manager.get();
    serving.journal = &journal;
    serving.tally = &tally;
  });
  while (!stop) {
    wait_for_signal();
    if (dump()) std::cerr << dump_of(*manager) << std::flush;
  }
  // Waiters are notified and must be gone before the manager is destroyed.
  serving_.change([](Serving& serving) { serving.over = true; });
  serving_.wait([](const Serving& serving) { return serving.waiting == 0; }, [](Serving&) {});
  stopping_.ask();
  manager->stop();
  return Done{};
}

class EmbeddedEngine::Waiting {
 public:
  explicit Waiting(Monitor<Serving>& serving) : serving_(serving) {
    serving_.change([](Serving& now) { ++now.waiting; });
  }
  ~Waiting() {
    serving_.change([](Serving& now) { --now.waiting; });
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  Monitor<Serving>& serving_;
};

Result<std::string> EmbeddedEngine::dump() {
  const Waiting here(serving_);
  const Serving now = serving_.with([](const Serving& serving) { return serving; });
  if (now.manager == nullptr || now.over)
    return unavailable("the controllers have not started yet, or are shutting down; try again");
  return dump_of(*now.manager);
}

Result<controllers::Plan> EmbeddedEngine::wait_settled(
    registry::ResourceVersion since, const std::set<krm::ObjectKey>& asked,
    const std::function<void(const FleetProgress&)>& report, const std::stop_token& stop) {
  if (since == 0) since = registry_->version();
  PORTICO_TRY(const auto before, registry_at(*registry_, since));
  const Waiting here(serving_);
  const Serving serving =
      serving_.wait([](const Serving& now) { return now.manager != nullptr || now.over; },
                    [](const Serving& now) { return now; });
  const std::size_t drafts = serving.tally == nullptr ? 0 : serving.tally->drafts();
  const auto over = [&] { return serving_.with([](const Serving& now) { return now.over; }); };
  const auto tell = [&](const controllers::Progress&) {
    report(serving.tally->standing(*registry_, *serving.manager, drafts));
  };
  const controllers::Manager::Wanted wanted{.limit = kLongest, .asked = asked, .given_up = [&] {
                                              return over() || stop.stop_requested();
                                            }};
  while (!serving.manager->wait_settled(wanted, tell)) {
    if (over()) return unavailable("the server is shutting down");
    if (stop.stop_requested()) return unavailable("wait cancelled");
  }
  return told(serving.journal->plan(since), *before, asked, serving.manager->failing());
}

Result<Rehearsed> EmbeddedEngine::rehearse(const Changes& changes, terminal::Terminal& terminal) {
  std::size_t most = 0;
  PORTICO_TRY(const auto rehearsal, Rehearsal::begin(*this, changes));
  auto out = rehearsal->run(time_left(), [&](const controllers::Progress& progress) {
    most = std::max(most, progress.reconciled + progress.waiting + progress.running);
    terminal.progress("planning", progress.reconciled, most);
  });
  terminal.progress_done();
  if (!out && time_left().count() == 0) return out_of_time("no plan");
  return out;
}

namespace {

// Facts about this process from the kernel: "VmRSS: 91234 kB, Threads: 32, open files: 118".
std::string process_facts() {
  std::string out;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    std::replace(line.begin(), line.end(), '\t', ' ');
    if (line.starts_with("Threads:") || line.starts_with("VmRSS:")) out += line + ", ";
  }
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  const auto open = error ? 0 : std::distance(begin(files), end(files));
  return fmt::format("{}open files: {}\n", out, open);
}

}  // namespace

std::string EmbeddedEngine::dump_of(const controllers::Manager& manager) const {
  const auto cache = static_cast<const fnrun::Runners&>(*runner_).cache_counts();
  const std::string text = fmt::format(
      "---- portico {}, process {}, store at {}\n{}{}"
      "function results: {} kept, {} bytes, {} hits, {} misses\n---- end\n",
      version(), getpid(), registry_->version(), process_facts(),
      controllers::dump(manager.queues(), ports_.repository_health->silent(),
                        std::chrono::steady_clock::now()),
      cache.entries, cache.bytes, cache.hits, cache.misses);
  return printable(text);
}

}  // namespace portico::engine
