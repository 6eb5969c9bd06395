#include "engine/fleet_engine.h"

#include <stop_token>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "cluster/lease.h"
#include "cluster/mirror.h"
#include "cluster/remote_registry.h"
#include "controllers/events.h"
#include "engine/cluster_process.h"
#include "packages/lineage.h"
#include "porch/package_store.h"

namespace portico::engine {

namespace {

class FleetEngineImpl : public FleetEngine {
 public:
  explicit FleetEngineImpl(Options options) : options_(std::move(options)) {}

  Result<Done> open(const Globals& globals) {
    PORTICO_TRY(process_,
                ClusterProcess::connect(globals, {.program = "portico-controllers",
                                                  .lease_ns = options_.lease_ns,
                                                  .lease_duration = options_.lease_duration,
                                                  .log = options_.log,
                                                  .meter = options_.meter,
                                                  .tracer = options_.tracer}));
    return Done{};
  }

  const std::string& server() const override { return process_->cluster(); }
  Result<Done> run(const std::atomic<bool>& stop) override {
    return process_->run(stop, [this](const std::stop_token& token) { return lead(token); });
  }
  Result<Done> ready() const override { return process_->ready(); }

 private:
  /// From waiting for the Lease to the end.
  Result<Done> lead(const std::stop_token& token) {
    const auto leases = cluster::make_remote_registry(process_->lease_api(), {});
    const auto lease = cluster::Lease::make({.registry = *leases,
                                             .clock = process_->clock(),
                                             .ns = process_->lease_ns(),
                                             .name = options_.lease,
                                             .holder = process_->name(),
                                             .duration = options_.lease_duration,
                                             .log = options_.log.get(),
                                             .on_wait = [this] { process_->say_ready(""); }});
    PORTICO_TRY(const bool held, lease->acquire(token), "Lease " + options_.lease);
    if (!held) return Done{};
    options_.log->info("leads", {{"lease", process_->lease_ns() + "/" + options_.lease}});
    lease->keep([this](const Error& why) { process_->end(why); });
    auto done = work();
    // Pending calls are cut off: they must not overlap with the next leader's.
    process_->cut_off();
    lease->release();
    return done;
  }

  Result<Done> work() {
    PORTICO_DO(tidy());
    const std::vector<krm::GroupKind> kinds = {api::repository_kind(), api::revision_kind(),
                                               api::variant_kind(), api::variant_set_kind()};
    const auto mirror =
        cluster::make_mirror(process_->api(), {.indexes = packages::indexes(),
                                               .kinds = kinds,
                                               .ns = options_.ns,
                                               .direct = {controllers::event_kind()},
                                               .metadata_of_others = true,
                                               .whole = {api::function_config_kind()},
                                               .relisted = {api::revision_kind()},
                                               .shown = porch::without_half_made,
                                               .log = options_.log.get(),
                                               .stop = process_->calls()});
    PORTICO_DO(process_->wait_for_lists(*mirror, kinds));
    const auto store = porch::make_package_store(
        {.api = process_->api(),
         .registry = *mirror,
         .wrote = [&](const json::Value& object,
                      registry::ResourceVersion since) { mirror->wrote(object, since); },
         .wrote_gone = [&](const json::Value& last,
                           registry::ResourceVersion since) { mirror->wrote_gone(last, since); },
         .log = options_.log.get()});
    return process_->run_controllers({.registry = *mirror, .packages = *store});
  }

  /// Removes what a killed process left behind; only the leader can be sure that no process works
  /// on it.
  Result<Done> tidy() {
    for (;;) {
      const auto removed = porch::remove_half_made(process_->api(), options_.ns);
      if (removed && *removed > 0)
        options_.log->info("removed incomplete drafts", {{"count", std::to_string(*removed)}});
      if (removed || process_->is_over()) return Done{};
      process_->say_ready(removed.error().text());
      if (removed.error().code == Code::kInvalid) return removed.error();
      options_.log->warning("cannot read package revisions yet",
                            {{"error", removed.error().text()}});
      process_->pause();
    }
  }

  const Options options_;
  std::unique_ptr<ClusterProcess> process_;
};

}  // namespace

Result<std::unique_ptr<FleetEngine>> FleetEngine::make(const Context& context, Options options) {
  auto out = std::make_unique<FleetEngineImpl>(std::move(options));
  PORTICO_DO(out->open(context.globals));
  return std::unique_ptr<FleetEngine>(std::move(out));
}

}  // namespace portico::engine
