#include "engine/operations.h"

#include <algorithm>

#include "api/kinds.h"
#include "controllers/following.h"
#include "controllers/plan_wire.h"
#include "controllers/repository.h"
#include "controllers/upgrade.h"
#include "engine/changes.h"
#include "engine/parallel.h"
#include "engine/rehearsal.h"

namespace portico::engine {

using json::Value;

namespace {

constexpr std::size_t kLooksAtOnce = 16;  // repository syncs, which mostly wait for remotes

Value progress_of(const controllers::Progress& progress) {
  return Value::object(
      {{"progress",
        Value::object({{"waiting", static_cast<std::uint64_t>(progress.waiting)},
                       {"running", static_cast<std::uint64_t>(progress.running)},
                       {"delayed", static_cast<std::uint64_t>(progress.delayed)},
                       {"reconciled", static_cast<std::uint64_t>(progress.reconciled)}})}});
}

// The caller's timeout, limited by the server's.
std::chrono::milliseconds time_for(const Value& asked, std::chrono::milliseconds most) {
  const std::int64_t seconds = asked["timeoutSeconds"].as_int();
  return seconds > 0 && seconds < most / std::chrono::seconds(1) ? std::chrono::seconds(seconds)
                                                                 : most;
}

// Removes what the caller may not read.
void keep_readable(controllers::Plan& plan, const Value& readable) {
  if (readable.is_null()) return;
  const auto hidden = [&](const auto& one) {
    return std::none_of(readable.items().begin(), readable.items().end(),
                        [&](const Value& ns) { return ns.as_string() == one.key.ns; });
  };
  std::erase_if(plan.sets, hidden);
  std::erase_if(plan.variants, hidden);
  std::erase_if(plan.errors, hidden);
}

}  // namespace

Result<drafts::DraftRequest> SystemOperations::with_inputs(drafts::DraftRequest request) {
  return controllers::with_inputs(system_.registry(), std::move(request));
}

// Syncs as controllers do when they start, to see what was pushed to git since the last sync.
// Errors are ignored: the controllers report them as well. Only repositories that concern `asked`
// are synced, because others may hang. One that was never synced is left to the controllers.
Result<Done> SystemOperations::look_at_repositories(const std::string& ns,
                                                    const std::set<krm::ObjectKey>& asked,
                                                    const std::stop_token& stop) {
  PORTICO_TRY(registry::Listing all,
              system_.registry().list({.type = api::repository_kind(), .ns = ns}));
  if (!asked.empty()) {
    PORTICO_TRY(const auto concerned, controllers::repositories_for(system_.registry(), asked));
    std::erase_if(all.objects, [&](const Value& repository) {
      return !concerned.contains(krm::object_key(repository));
    });
  }
  std::erase_if(all.objects,
                [](const Value& repository) { return !controllers::was_read(repository); });
  std::vector<std::vector<std::size_t>> each;
  for (std::size_t i = 0; i < all.objects.size(); ++i) each.push_back({i});
  in_parallel(
      each, kLooksAtOnce,
      [&](std::size_t i) {
        if (!stop.stop_requested()) (void)system_.packages().sync(all.objects[i]);
      },
      [](std::size_t) {});
  return Done{};
}

Result<Value> SystemOperations::settle(const Value& asked, const Report& report,
                                       const std::stop_token& stop) {
  std::set<krm::ObjectKey> keys;
  for (const Value& each : asked["asked"].items()) keys.insert(krm::object_key(each));
  if (asked["look"].as_bool())
    PORTICO_DO(look_at_repositories(std::string(asked["namespace"].as_string()), keys, stop));
  PORTICO_TRY(controllers::Plan done,
              wait_settled(
                  asked["since"].as_uint(), keys,
                  [&](const FleetProgress& standing) {
                    report(Value::object({{"progress", to_json(standing)}}));
                  },
                  stop));
  keep_readable(done, asked["readable"]);
  return controllers::to_wire(done);
}

Result<Value> SystemOperations::rehearse(const Value& changes, const Report& report,
                                         const std::stop_token& stop) {
  PORTICO_TRY(const Changes wanted, changes_from_json(changes));
  PORTICO_TRY(const auto rehearsal, Rehearsal::begin(system_, wanted));
  auto out = rehearsal->run(
      time_for(changes, longest()),
      [&](const controllers::Progress& progress) { report(progress_of(progress)); }, stop);
  if (!out) {
    // A Status has no field for places such as file and object, so they become part of its text.
    Error whole = std::move(out).error();
    whole.what = whole.text();
    whole.where.clear();
    whole.causes.clear();
    return whole;
  }
  keep_readable(out->plan, changes["readable"]);
  return to_json(*out);
}

}  // namespace portico::engine
