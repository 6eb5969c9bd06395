#include "api/meta.h"

#include <algorithm>

#include "api/internal/shared_fields.h"
#include "base/secrets.h"
#include "base/shortened.h"
#include "base/time.h"

namespace portico::api {

PORTICO_API_TYPE(ObjectMeta);
PORTICO_API_TYPE(LabelSelector);
PORTICO_API_TYPE(Condition);
PORTICO_API_TYPE(Retry);
PORTICO_API_TYPE(Function);
PORTICO_API_TYPE(Pipeline);

Result<krm::LabelSelector> selector(const LabelSelector& written) {
  return krm::LabelSelector::decode(encode(written));
}

// In bytes: the limit of Kubernetes for a condition (metav1.Condition). Messages of functions are
// unlimited.
static constexpr std::size_t kLongestMessage = 32'768;

std::vector<Condition> with_condition(std::vector<Condition> conditions,
                                      const ConditionValue& value, std::int64_t generation,
                                      TimePoint now) {
  const std::string_view status = value.status ? "True" : "False";
  auto at = std::find_if(conditions.begin(), conditions.end(),
                         [&](const Condition& one) { return one.type == value.type; });
  if (at == conditions.end()) {
    at = conditions.insert(at, Condition{});
    at->type = value.type;
  }
  if (at->status != status || at->last_transition_time.empty()) {
    at->status = status;
    at->last_transition_time = rfc3339(now);
  }
  at->observed_generation = generation;
  at->reason = value.reason;
  at->message = shortened(without_secrets(value.message), kLongestMessage);
  return conditions;
}

std::vector<Condition> without_condition(std::vector<Condition> conditions, std::string_view type) {
  std::erase_if(conditions, [&](const Condition& one) { return one.type == type; });
  return conditions;
}

const Condition* find_condition(const std::vector<Condition>& conditions, std::string_view type) {
  const auto at = std::find_if(conditions.begin(), conditions.end(),
                               [&](const Condition& one) { return one.type == type; });
  return at == conditions.end() ? nullptr : &*at;
}

}  // namespace portico::api
