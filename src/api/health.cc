#include "api/health.h"

#include <algorithm>

namespace portico::api {

bool is_current(std::int64_t generation, std::int64_t observed) {
  return generation == 0 || observed == 0 || generation == observed;
}

Health health_of(std::span<const Condition> conditions, std::int64_t generation,
                 std::int64_t observed) {
  if (!is_current(generation, observed)) return Health::kWaiting;
  const auto find = [&](std::string_view type) {
    return std::find_if(conditions.begin(), conditions.end(),
                        [&](const Condition& one) { return one.type == type; });
  };
  const auto stalled = find(kStalled), ready = find(kReady);
  if (stalled != conditions.end() && stalled->status == "True") return Health::kFailing;
  if (ready == conditions.end()) return Health::kWaiting;
  if (ready->status == "True") return Health::kHealthy;
  return ready->reason == kWaitingForReview ? Health::kWaiting : Health::kFailing;
}

}  // namespace portico::api
