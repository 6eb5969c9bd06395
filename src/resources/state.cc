#include "resources/state.h"

#include "api/decode.h"
#include "api/kinds.h"
#include "api/retry.h"
#include "resources/table.h"

namespace portico::resources {

using json::Value;

std::vector<api::Condition> conditions_of(const Value& object) {
  std::vector<api::Condition> out;
  for (const Value& each : object["status"]["conditions"].items())
    if (auto condition = api::decode<api::Condition>(each)) out.push_back(*std::move(condition));
  return out;
}

std::string condition_status(const Value& object, std::string_view type) {
  const auto conditions = conditions_of(object);
  const api::Condition* found = api::find_condition(conditions, type);
  return found != nullptr ? found->status : "";
}

namespace {

std::int64_t observed_generation(const Value& object) {
  return object["status"]["observedGeneration"].as_int();
}

}  // namespace

api::Health health_of(const Value& object) {
  return api::health_of(conditions_of(object), krm::generation_of(object),
                        observed_generation(object));
}

std::string state_of(const Value& object) {
  const krm::GroupKind kind = krm::group_kind(object);
  if (kind == api::revision_kind()) return std::string(object["spec"]["lifecycle"].as_string());
  if (kind.group != api::kConfigGroup) return "-";
  // The annotation counts even before the controllers have seen it; the condition also covers a
  // suspension through another object.
  if (krm::annotation_of(object, api::kSuspend) == "true" ||
      condition_status(object, api::kSuspended) == "True")
    return "Suspended";
  if (!api::is_current(krm::generation_of(object), observed_generation(object))) return "Pending";
  const auto conditions = conditions_of(object);
  const api::Condition* stalled = api::find_condition(conditions, api::kStalled);
  const api::Condition* ready = api::find_condition(conditions, api::kReady);
  if (stalled != nullptr && stalled->status == "True") return "Stalled: " + stalled->message;
  if (ready == nullptr) return "Pending";
  if (ready->status == "True") return "Ready";
  return ready->reason + ": " + ready->message;
}

std::string tries_of(const Value& object, std::string_view now) {
  const auto retry = api::decode<api::Retry>(object["status"]["retry"]);
  if (!retry || retry->failures < 1) return "";
  const auto next = parse_rfc3339(retry->next), at = parse_rfc3339(now);
  if (!next || !at) return "";
  const std::string times =
      retry->failures == 1 ? "once" : fmt::format("{} times", retry->failures);
  if (*next > *at)
    return fmt::format("tried {} since {}, next try in {}", times, retry->since,
                       age(now, retry->next));
  return fmt::format("tried {} or more since {}, next try when portico serve runs", times,
                     retry->since);
}

}  // namespace portico::resources
