#include "engine/fleet_engine.h"

#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "api/kinds.h"
#include "base/clock.h"
#include "base/monitor.h"
#include "base/stop.h"
#include "cluster/lease.h"
#include "cluster/mirror.h"
#include "cluster/remote_registry.h"
#include "engine/cluster_calls.h"
#include "engine/stop.h"
#include "engine/target.h"
#include "engine/version.h"
#include "packages/lineage.h"
#include "porch/package_store.h"

namespace portico::engine {

namespace {

constexpr std::chrono::seconds kRetry{3};

class FleetEngineImpl : public FleetEngine {
 public:
  FleetEngineImpl(const Context& context, Options options)
      : globals_(context.globals), options_(std::move(options)) {}

  Result<Done> open() {
    PORTICO_TRY(kubeconfig::Target target, target_of_pod(globals_, clock_));
    target.client.user_agent = fmt::format("portico-controllers/{}", version());
    server_ = target.client.server;
    if (options_.lease_ns.empty()) options_.lease_ns = target.ns;
    PORTICO_TRY(api_, connect(target.client, {.field_manager = "portico-controllers",
                                              .stop = stopping_.get_token()}));
    PORTICO_TRY(lease_api_,
                connect(target.client, {.field_manager = "portico-controllers",
                                        .time = [time = cluster::Lease::call_time(
                                                     options_.lease_duration)] { return time; }}));
    return Done{};
  }

  const std::string& server() const override { return server_; }

  Result<Done> run(const std::atomic<bool>& stop) override {
    std::atomic<bool> over = false;
    Result<Done> ended = Done{};
    std::jthread work([&](const std::stop_token& token) {
      ended = lead(token);
      over = true;
      end_wait_for_signal();
    });
    while (!stop && !over) wait_for_signal();
    work.request_stop();
    work.join();
    return ended;
  }

  Result<Done> ready() const override {
    return state_.with([](const State& state) -> Result<Done> {
      if (state.not_ready.empty()) return Done{};
      return unavailable("{}", state.not_ready);
    });
  }

 private:
  struct State {
    std::string not_ready = "it has not reached the server yet";
    bool stop = false;
    std::optional<Error> lost;
  };

  /// From the wait for the Lease to the end.
  Result<Done> lead(const std::stop_token& token) {
    const std::stop_callback ends(token, [this] { end(std::nullopt); });
    const auto leases = cluster::make_remote_registry(*lease_api_, {});
    const auto lease = cluster::Lease::make({.registry = *leases,
                                             .clock = clock_,
                                             .ns = options_.lease_ns,
                                             .name = options_.lease,
                                             .holder = own_name(),
                                             .duration = options_.lease_duration,
                                             .log = options_.log.get(),
                                             .on_wait = [this] { say_ready(""); }});
    PORTICO_TRY(const bool held, lease->acquire(token), "Lease " + options_.lease);
    if (!held) return Done{};
    options_.log->info("leads", {{"lease", options_.lease_ns + "/" + options_.lease}});
    lease->keep([this](const Error& why) { end(why); });
    auto done = work();
    // What it has under way is cut off: the next one must not meet it.
    stopping_.request_stop();
    lease->release();
    const auto lost = state_.with([](const State& state) { return state.lost; });
    if (lost) return *lost;
    return done;
  }

  Result<Done> work() {
    PORTICO_DO(tidy());
    const auto mirror =
        cluster::make_mirror(*api_, {.indexes = packages::indexes(),
                                     .kinds = {api::repository_kind(), api::revision_kind(),
                                               api::variant_kind(), api::variant_set_kind()},
                                     .ns = options_.ns,
                                     .selected = {{{"", "Event"}, "reportingComponent=portico"}},
                                     .shown = porch::without_half_made,
                                     .log = options_.log.get(),
                                     .stop = stopping_.get_token()});
    PORTICO_DO(wait_for_lists(
        *mirror,
        {api::repository_kind(), api::revision_kind(), api::variant_kind(),
         api::variant_set_kind()},
        [this] { return is_over(); }, [this](const std::string& why) { say_ready(why); },
        [this] { pause(); }));
    const auto store = porch::make_package_store(
        {.api = *api_,
         .registry = *mirror,
         .wrote = [&](const json::Value& object) { mirror->wrote(object); },
         .wrote_gone = [&](const json::Value& last) { mirror->wrote_gone(last); },
         .log = options_.log.get()});
    return run_controllers({.registry = *mirror,
                            .packages = *store,
                            .globals = globals_,
                            .clock = clock_,
                            .log = *options_.log,
                            .meter = options_.meter,
                            .tracer = options_.tracer,
                            .stopped = programs_.stop()},
                           [this] {
                             say_ready("");
                             options_.log->info("works");
                             state_.wait([](const State& state) { return state.stop; },
                                         [](State&) {});
                             stopping_.request_stop();
                           });
  }

  /// What a process that was killed has left; only who leads knows that nobody works on it.
  Result<Done> tidy() {
    for (;;) {
      const auto removed = porch::remove_half_made(*api_, options_.ns);
      if (removed && *removed > 0)
        options_.log->info("removed half-made drafts", {{"count", std::to_string(*removed)}});
      if (removed || is_over()) return Done{};
      say_ready(removed.error().text());
      if (removed.error().code == Code::kInvalid) return removed.error();
      options_.log->warning("the package revisions cannot be read yet",
                            {{"error", removed.error().text()}});
      pause();
    }
  }

  void end(std::optional<Error> lost) {
    stopping_.request_stop();
    programs_.ask();
    state_.change([&](State& state) {
      // Who is told to stop does not renew any more.
      if (lost && !state.stop) state.lost = std::move(lost);
      state.stop = true;
      state.not_ready = "it is being stopped";
    });
  }
  bool is_over() const {
    return state_.with([](const State& state) { return state.stop; });
  }
  void say_ready(std::string not_ready) {
    state_.change([&](State& state) {
      if (!state.stop) state.not_ready = std::move(not_ready);
    });
  }
  void pause() {
    state_.wait_until(
        std::chrono::steady_clock::now() + kRetry, [](const State& state) { return state.stop; },
        [](State&) {});
  }

  const Globals globals_;
  Options options_;
  SystemClock clock_;
  std::string server_;
  std::stop_source stopping_;  // calls
  StopSource programs_;
  std::unique_ptr<cluster::Api> api_, lease_api_;
  Monitor<State> state_;
};

}  // namespace

Result<std::unique_ptr<FleetEngine>> FleetEngine::make(const Context& context, Options options) {
  auto out = std::make_unique<FleetEngineImpl>(context, std::move(options));
  PORTICO_DO(out->open());
  return std::unique_ptr<FleetEngine>(std::move(out));
}

}  // namespace portico::engine
