#include "controllers/plan_json.h"

#include <fmt/format.h>

#include "krm/diff.h"

namespace portico::controllers {

using json::Value;

namespace {

Value json_of(const variants::SetAction& action) {
  return Value::object({{"verb", variants::name(action.verb)},
                        {"name", action.object->metadata.name},
                        {"repo", action.key.repo},
                        {"package", action.key.package},
                        {"reason", action.reason}});
}

}  // namespace

Value to_json(const Plan& plan) {
  std::vector<Value> sets, variants;
  for (const PlannedSet& set : plan.sets) {
    std::vector<Value> actions, held, failures;
    for (const variants::SetAction& action : set.actions) actions.push_back(json_of(action));
    if (set.hold)
      for (const variants::SetAction& action : set.hold->deletions) held.push_back(json_of(action));
    for (const variants::FailedTarget& failure : set.failures)
      failures.push_back(failure.error.text());
    sets.push_back(Value::object({{"name", set.key.name},
                                  {"targets", static_cast<std::int64_t>(set.desired)},
                                  {"stalled", set.stall ? Value(set.stall->message) : Value()},
                                  {"noMatch", set.no_match ? Value(*set.no_match) : Value()},
                                  {"actions", Value::array(std::move(actions))},
                                  {"held", Value::array(std::move(held))},
                                  {"heldBecause", set.hold ? Value(set.hold->message) : Value()},
                                  {"failures", Value::array(std::move(failures))}}));
  }
  for (const PlannedVariant& variant : plan.variants) {
    std::vector<json::Member> members{{"name", variant.key.name},
                                      {"repo", variant.downstream.repo},
                                      {"package", variant.downstream.package},
                                      {"step", variants::name(variant.decision.step)},
                                      {"reason", variant.decision.reason}};
    if (!variant.workspace.empty()) members.push_back({"workspace", variant.workspace});
    if (variant.error) members.push_back({"error", variant.error->text()});
    if (const auto* let_go = std::get_if<variants::LetGo>(&variant.decision.step)) {
      std::vector<Value> fates;
      for (const auto& [revision, farewell] : let_go->revisions)
        fates.emplace_back(fmt::format("{} {}", variants::name(farewell), revision.name()));
      members.push_back({"revisions", Value::array(std::move(fates))});
    }
    if (variant.built) {
      const krm::Package nothing;
      members.push_back({"conflicts", static_cast<std::int64_t>(variant.built->conflicts.size())});
      members.push_back(
          {"diff",
           krm::diff_packages(variant.built->before != nullptr ? *variant.built->before : nothing,
                              variant.built->content)});
    }
    variants.push_back(Value::object(std::move(members)));
  }
  return Value::object(
      {{"sets", Value::array(std::move(sets))}, {"variants", Value::array(std::move(variants))}});
}

}  // namespace portico::controllers
