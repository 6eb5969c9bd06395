#include "controllers/plan_json.h"

#include "krm/diff.h"

namespace portico::controllers {

using json::Member;
using json::Value;

namespace {

Value json_of(const variants::SetAction& action) {
  return Value::object({{"verb", variants::name(action.verb)},
                        {"name", action.object->metadata.name},
                        {"repo", action.key.repo},
                        {"package", action.key.package},
                        {"reason", action.reason}});
}

Value json_of(const merge::Conflict& conflict) {
  constexpr std::size_t kLongest = 256;  // a conflict may be about whole resources
  return Value::object({{"path", conflict.file},
                        {"object", merge::object_text(conflict.object)},
                        {"field", conflict.field},
                        {"base", merge::value_text(conflict.base, kLongest)},
                        {"ours", merge::value_text(conflict.ours, kLongest)},
                        {"theirs", merge::value_text(conflict.theirs, kLongest)},
                        {"taken", conflict.took_theirs ? "theirs" : "ours"},
                        {"rule", conflict.rule}});
}

Value json_of(const PlannedSet& set) {
  std::vector<Value> actions, held, failures;
  for (const variants::SetAction& action : set.actions) actions.push_back(json_of(action));
  for (const variants::FailedTarget& failure : set.failures)
    failures.emplace_back(failure.error.text());
  for (const variants::FailedAction& failure : set.failed_actions)
    failures.emplace_back(failure.error.text());
  std::vector<Member> members{{"namespace", set.key.ns},
                              {"name", set.key.name},
                              {"targets", static_cast<std::int64_t>(set.desired)},
                              {"actions", Value::array(std::move(actions))},
                              {"failures", Value::array(std::move(failures))}};
  if (set.stall)
    members.push_back({"stalled", Value::object({{"reason", set.stall->reason},
                                                 {"message", set.stall->message}})});
  if (set.no_match) members.push_back({"noMatch", *set.no_match});
  if (set.hold) {
    for (const variants::SetAction& action : set.hold->deletions) held.push_back(json_of(action));
    members.push_back({"held", Value::object({{"reason", variants::name(set.hold->why)},
                                              {"message", set.hold->message},
                                              {"actions", Value::array(std::move(held))}})});
  }
  return Value::object(std::move(members));
}

Value json_of(const PlannedVariant& variant) {
  std::vector<Member> members{{"namespace", variant.key.ns},
                              {"name", variant.key.name},
                              {"repo", variant.downstream.repo},
                              {"package", variant.downstream.package},
                              {"step", variants::name(variant.decision.step)},
                              {"reason", variant.decision.reason}};
  if (variant.removed) members.push_back({"removed", true});
  if (!variant.workspace.empty()) members.push_back({"workspace", variant.workspace});
  if (!variant.revision.empty()) members.push_back({"revision", variant.revision});
  if (variant.error) members.push_back({"error", variant.error->text()});
  std::vector<Value> fates;
  for (const Fate& each : fates_of(variant.decision.step))
    fates.push_back(Value::object({{"name", each.revision}, {"fate", each.word}}));
  if (!fates.empty()) members.push_back({"revisions", Value::array(std::move(fates))});
  if (variant.built) {
    std::vector<Value> conflicts;
    for (const merge::Conflict& each : variant.built->conflicts) conflicts.push_back(json_of(each));
    members.push_back({"conflicts", Value::array(std::move(conflicts))});
    const krm::Package nothing;
    members.push_back(
        {"diff",
         krm::diff_packages(variant.built->before != nullptr ? *variant.built->before : nothing,
                            variant.built->content)});
  }
  return Value::object(std::move(members));
}

Value json_of(const PlannedError& error) {
  return Value::object({{"kind", error.key.type.kind},
                        {"namespace", error.key.ns},
                        {"name", error.key.name},
                        {"message", error.message},
                        {"before", error.before},
                        {"asked", error.asked}});
}

template <class T>
Value list_of(const std::vector<T>& all) {
  std::vector<Value> out;
  out.reserve(all.size());
  for (const T& each : all) out.push_back(json_of(each));
  return Value::array(std::move(out));
}

}  // namespace

Value to_json(const Plan& plan) {
  return Value::object({{"version", 1},
                        {"changes", plan.changes()},
                        {"failed", plan.failed()},
                        {"sets", list_of(plan.sets)},
                        {"variants", list_of(plan.variants)},
                        {"errors", list_of(plan.errors)}});
}

}  // namespace portico::controllers
