#include "controllers/planner.h"

#include <algorithm>

#include "api/kinds.h"
#include "base/secrets.h"
#include "controllers/journal.h"
#include "resources/state.h"

namespace portico::controllers {

using json::Value;

namespace {

std::string failure_of(const Value& object) {
  return resources::health_of(object) == api::Health::kFailing ? resources::state_of(object) : "";
}

// The times are left out.
std::string conditions_text(const Value& object) {
  std::string out;
  for (const api::Condition& each : resources::conditions_of(object))
    out += fmt::format("{} {} {} {}\n", each.type, each.status, each.reason, each.message);
  return out;
}

bool is_asked(const Value& object, const std::set<krm::ObjectKey>& asked) {
  const krm::ObjectKey key = krm::object_key(object);
  if (asked.contains(key)) return true;
  for (const krm::OwnerReference& owner : krm::owners_of(object))
    if (owner.controller && owner.kind == api::kVariantSetKind &&
        asked.contains({api::variant_set_kind(), key.ns, owner.name}))
      return true;
  return false;
}

}  // namespace

Result<std::vector<PlannedError>> errors_of(const registry::Registry& before,
                                            const registry::Registry& now,
                                            const std::set<krm::ObjectKey>& asked) {
  std::vector<PlannedError> out;
  for (const krm::GroupKind& type :
       {api::variant_kind(), api::variant_set_kind(), api::repository_kind()}) {
    PORTICO_TRY(const registry::Listing all, now.list({.type = type}));
    for (const Value& object : all.objects) {
      std::string message = failure_of(object);
      if (message.empty()) continue;
      const krm::ObjectKey key = krm::object_key(object);
      const auto was = before.get(key);
      if (!was && was.error().code != Code::kNotFound) return was.error();
      const bool about = is_asked(object, asked);
      // A repository that had never been read, or was not ready before, is unavailable regardless
      // of the plan.
      const bool silent_before = was && !about && type == api::repository_kind() &&
                                 resources::health_of(*was) != api::Health::kHealthy;
      const bool failed_before = silent_before || (was && failure_of(*was) == message);
      out.push_back({key, std::move(message), failed_before, about, false});
    }
  }
  return out;
}

Result<Done> compare(Plan& plan, const registry::Registry& before, const registry::Registry& now,
                     const std::set<krm::ObjectKey>& asked) {
  PORTICO_TRY(plan.errors, errors_of(before, now, asked));
  const auto is_old_news = [&](const krm::ObjectKey& key) {
    const auto is = now.get(key), was = before.get(key);
    return is && was && !is_asked(*is, asked) && conditions_text(*is) == conditions_text(*was);
  };
  std::erase_if(plan.sets,
                [&](const PlannedSet& set) { return set.actions.empty() && is_old_news(set.key); });
  std::erase_if(plan.variants, [&](const PlannedVariant& step) {
    return !step.changes() && is_old_news(step.key);
  });
  return Done{};
}

void add_untold(Plan& plan, const std::map<krm::ObjectKey, Error>& failing) {
  std::set<krm::ObjectKey> told;
  for (const PlannedError& error : plan.errors) told.insert(error.key);
  for (const auto& [key, error] : failing)
    if (!told.contains(key))
      plan.errors.push_back({key, without_secrets(error.text()), false, false, true});
  std::sort(plan.errors.begin(), plan.errors.end(),
            [](const PlannedError& a, const PlannedError& b) { return a.key < b.key; });
}

void leave_to_others(Plan& plan, const std::set<krm::ObjectKey>& about) {
  std::erase_if(plan.errors, [&](const PlannedError& error) {
    return !error.before && !error.asked && !about.contains(error.key);
  });
}

Result<Plan> make_plan(const registry::Registry& below, const World& fork, Log& log,
                       const std::set<krm::ObjectKey>& asked, std::chrono::milliseconds limit,
                       const std::function<void(const Progress&)>& report) {
  Journal journal({.contents = true});
  World world = fork;
  world.observer = &journal;
  const auto manager = Manager::make({.registry = fork.registry,
                                      .log = log,
                                      .controllers = all_controllers(world),
                                      .stopped = world.stopped});
  PORTICO_DO(manager->start());
  // A stopped manager counts as settled, too, but has not finished.
  const bool settled = manager->wait_settled(limit, report) && !world.stopped();
  manager->stop();
  if (!settled) return unavailable("timed out waiting for the plan");
  Plan out = journal.plan();
  PORTICO_DO(compare(out, below, fork.registry, asked));
  add_untold(out, manager->failing());
  return out;
}

}  // namespace portico::controllers
