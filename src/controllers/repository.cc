#include "controllers/repository.h"

#include <set>

#include "api/repository.h"
#include "base/secrets.h"
#include "base/time.h"
#include "base/tracer.h"
#include "base/world_error.h"
#include "controllers/retry.h"
#include "controllers/status.h"
#include "controllers/sync_times.h"
#include "packages/lineage.h"
#include "packages/unstored.h"
#include "variants/suspension.h"

namespace portico::controllers {

using json::Value;

namespace {

Result<std::int64_t> package_count(const registry::Registry& registry, const krm::ObjectKey& key) {
  PORTICO_TRY(const registry::Listing stored,
              registry.list({.type = packages::revision_key("", "").type,
                             .ns = key.ns,
                             .fields = {{packages::kByRepository, key.name}}}));
  std::set<std::string_view> packages;
  for (const Value& object : stored.objects)
    packages.insert(object["spec"]["packageName"].as_string());
  return static_cast<std::int64_t>(packages.size());
}

std::optional<api::Retry> retry_of(const std::optional<api::Retry>& before, const Error& error,
                                   std::optional<std::chrono::milliseconds> period,
                                   const work::Run& run, int failures, TimePoint now) {
  if (is_tried_by_back_off(error, period.has_value())) {
    if (error.code == Code::kConflict || run.id.empty()) return before;
    return api::count_failure(before, failures + 1, *run.wait_after(error), now);
  }
  if (!period) return std::nullopt;
  return run.id.empty() ? before : api::count_failure(before, failures + 1, *period, now);
}

}  // namespace

bool is_tried_by_back_off(const Error& error, bool polls) {
  if (error.code == Code::kInvalid || error.code == Code::kNotFound) return false;
  return !polls || remedy_of(error) != Remedy::kOperator;
}

Result<work::NextReconcile> count_packages(const krm::ObjectKey& key,
                                           registry::Registry& registry) {
  const auto stored = registry.get(key);
  if (!stored && stored.error().code == Code::kNotFound) return work::NextReconcile{};
  if (!stored) return stored.error();
  PORTICO_TRY(const std::int64_t count, package_count(registry, key));
  const Value& status = (*stored)["status"];
  PORTICO_DO(write_status(registry, *stored,
                          count == 0 ? status.without("packageCount")  // as in Porch
                                     : status.with("packageCount", count)));
  return work::NextReconcile{};
}

Result<work::NextReconcile> sync_repository(const krm::ObjectKey& key, const World& world,
                                            std::optional<std::chrono::milliseconds> period,
                                            const work::Run& run, int failures) {
  registry::Registry& registry = world.registry;
  const auto stored = registry.get(key);
  if (!stored && stored.error().code == Code::kNotFound) {
    PORTICO_DO(world.packages.forget(key.ns, key.name));
    return work::NextReconcile{};
  }
  if (!stored) return stored.error();
  if (krm::is_deleting(*stored)) return work::NextReconcile{};

  auto decoded = api::decode<api::Repository>(*stored);
  if (!decoded) {
    PORTICO_DO(write_undecoded(registry, *stored, std::move(decoded).error(), world.clock.now()));
    return work::NextReconcile{period};
  }
  api::Repository repository = *std::move(decoded);
  if (variants::is_suspended(repository.metadata.annotations)) {
    repository.status.conditions = api::with_condition(
        std::move(repository.status.conditions),
        variants::suspended_value("it is suspended: it is neither read nor written to until it is "
                                  "resumed"),
        repository.metadata.generation, world.clock.now());
    repository.status.next_full_sync_time.clear();
    PORTICO_DO(write_status(registry, *stored, api::encode(repository)["status"]));
    return work::NextReconcile{};
  }
  repository.status.conditions =
      api::without_condition(std::move(repository.status.conditions), api::kSuspended);
  api::ConditionValue ready{std::string(api::kReady), true, "Ready", "Repository Ready"};
  const auto synced = world.packages.sync(*stored);
  // This says nothing about the repository.
  if (!synced && (world.stopped() || packages::is_unstored(synced.error()))) return synced.error();
  if (Span* const span = Span::current(); span != nullptr && !synced)
    span->fail(synced.error().text());
  if (world.observer != nullptr)
    world.observer->repository_reconciled(key, run, synced ? nullptr : &synced.error());
  const TimePoint now = world.clock.now();
  if (synced) {
    PORTICO_TRY(repository.status.package_count, package_count(registry, key));
    const auto& sync = repository.spec.sync;
    const bool once = is_run_once_due(repository, now);
    if (synced->written > 0 || repository.status.last_full_sync_time.empty() || once ||
        (sync && !sync->schedule.empty())) {
      repository.status.last_full_sync_time = rfc3339(now);
      repository.status.git_commit_hash = synced->head;
    }
    if (once) repository.status.observed_run_once_at = sync->run_once_at;
    repository.status.retry.reset();
  } else {
    repository.status.retry =
        retry_of(repository.status.retry, synced.error(), period, run, failures, now);
    ready = {ready.type, false, "Error", without_secrets(synced.error().text())};
  }
  const auto wanted = next_wanted_sync(repository, now);
  repository.status.next_full_sync_time = wanted && *wanted > now ? rfc3339(*wanted) : "";
  const std::int64_t generation = repository.metadata.generation;
  repository.status.observed_generation = generation;
  repository.status.conditions =
      api::with_condition(std::move(repository.status.conditions), ready, generation, now);
  PORTICO_DO(write_status(registry, *stored, api::encode(repository)["status"]));
  if (!synced) return synced.error();
  return work::NextReconcile{until_next_sync(repository, period, now)};
}

bool was_read(const Value& repository) {
  return !repository["status"]["lastFullSyncTime"].as_string().empty();
}

}  // namespace portico::controllers
