#include "engine/settling.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/kinds.h"
#include "api/retry.h"
#include "controllers/pending_work.h"
#include "controllers/planner.h"
#include "engine/what_changed.h"
#include "resources/state.h"
#include "store/embedded.h"

namespace portico::engine {

using controllers::PendingWork;
using json::Value;
using std::chrono::milliseconds;
using variants::WorkLeft;

namespace {

using Keys = std::map<krm::ObjectKey, PendingWork::Key>;

constexpr milliseconds kBetweenReports{100};
// Re-evaluates without events, too: the watch may lack kinds that were not followed before.
constexpr milliseconds kBetweenLooks{1000};
// The first few tries take this long, unless the first one alone takes longer.
constexpr milliseconds kPatience = std::chrono::seconds(5);
// A failure that waits for an event may not have been retried with the latest one yet.
constexpr milliseconds kDoubt{1500};
constexpr std::int64_t kTries = 3;

/// How long to wait for a failed object, from when the failure was first seen: while it is retried
/// soon.
milliseconds patience_for(const Value& object, TimePoint now) {
  const Value& retry = object["status"]["retry"];
  if (!retry.is_object()) return kDoubt;
  if (retry["failures"].as_int() > kTries) return milliseconds(0);
  const auto since = parse_rfc3339(retry["since"].as_string());
  return since && now - *since >= kPatience ? milliseconds(0) : kPatience;
}

/// Decides which failures are waited for.
class Patience {
 public:
  explicit Patience(const registry::Registry& registry) : registry_(registry) {}

  bool is_over(const krm::ObjectKey& key, TimePoint now) {
    const auto object = registry_.get(key);
    if (!object) return true;
    const auto here = std::chrono::steady_clock::now();
    const auto first = seen_.try_emplace(key, here).first->second;
    return here - first >= patience_for(*object, now);
  }
  void forget(const krm::ObjectKey& key) { seen_.erase(key); }

 private:
  const registry::Registry& registry_;
  std::map<krm::ObjectKey, std::chrono::steady_clock::time_point> seen_;
};

/// Whether all work is done except persistent failures; `standing` covers the variants among
/// `keys`.
bool is_done(const Keys& keys, Patience& patience, TimePoint now, FleetProgress& standing) {
  bool done = true;
  for (const auto& [key, one] : keys) {
    if (one.left != WorkLeft::kFailed) patience.forget(key);
    const bool open = one.left == WorkLeft::kWork ||
                      (one.left == WorkLeft::kFailed && !patience.is_over(key, now));
    if (open) done = false;
    if (open) ++standing.waiting;
    ++standing.looked;
    if (key.type != api::variant_kind()) continue;
    ++standing.variants;
    if (one.left == WorkLeft::kFailed) ++standing.failing;
    if (!open && one.left == WorkLeft::kNothing) ++standing.settled;
  }
  return done;
}

}  // namespace

Result<std::unique_ptr<registry::Registry>> copy_of_fleet(
    const registry::Registry& registry, std::optional<registry::ResourceVersion> version) {
  std::vector<Value> objects;
  registry::ResourceVersion latest = 1;
  for (const krm::GroupKind& type : {api::repository_kind(), api::revision_kind(),
                                     api::variant_kind(), api::variant_set_kind()}) {
    registry::Query query{.type = type};
    query.version = version;
    PORTICO_TRY(auto all, registry.list(query));
    for (const Value& object : all.objects)
      latest = std::max(latest, krm::resource_version_of(object));
    std::move(all.objects.begin(), all.objects.end(), std::back_inserter(objects));
  }
  return store::open_in_memory({}, objects, latest);
}

Result<controllers::Plan> wait_for_objects(registry::Registry& registry, const Clock& clock,
                                           const Settling& settling) {
  std::unique_ptr<registry::Registry> begun;
  if (settling.before == nullptr) {
    PORTICO_TRY(begun, copy_of_fleet(registry));
  }
  const registry::Registry& before = begun ? *begun : *settling.before;
  PendingWork outstanding(registry, settling.repositories);
  Patience patience(registry);
  Keys keys;
  auto watch = registry.watch({}, registry.version());
  auto next_reconcile = std::chrono::steady_clock::now();
  for (bool news = true;;) {
    const auto began = std::chrono::steady_clock::now();
    if (news || began >= next_reconcile) {
      const TimePoint now = clock.now();
      PORTICO_TRY(keys, outstanding.look(settling.asked, now));
      FleetProgress standing;
      if (is_done(keys, patience, now, standing)) break;
      settling.report(standing);
      next_reconcile = began + kBetweenLooks;
    }
    if (settling.given_up()) return unavailable("wait cancelled");
    // Evaluating costs time in proportion to the objects: leaves most of the time to other work.
    const auto cost = std::chrono::steady_clock::now() - began;
    const auto events = watch->next(std::chrono::ceil<milliseconds>(
        std::max<std::chrono::nanoseconds>(kBetweenReports, 2 * cost)));
    if (!events) watch = registry.watch({}, registry.version());
    news = !events || !events->empty();
  }
  return what_changed(before, registry, keys, settling.asked);
}

}  // namespace portico::engine
