#include "cluster/internal/members_state.h"

#include <algorithm>
#include <utility>

#include "krm/meta.h"

namespace portico::cluster {

using json::Value;

void MembersState::saw(const std::vector<Value>& leases, Instant now) {
  std::map<std::string, Other> seen;
  for (const Value& lease : leases) {
    const std::string name(krm::name_of(lease));
    if (name == member_) continue;
    Other other{lease, now, std::chrono::seconds(lease["spec"]["leaseDurationSeconds"].as_int())};
    const auto known = others_.find(name);
    if (known != others_.end() && krm::uid_of(known->second.lease) == krm::uid_of(lease) &&
        known->second.lease["spec"]["renewTime"] == lease["spec"]["renewTime"])
      other.since = known->second.since;
    seen.emplace(name, std::move(other));
  }
  others_ = std::move(seen);
}

std::vector<std::string> MembersState::members(Instant now) const {
  std::vector<std::string> out;
  for (const auto& [name, other] : others_)
    if (now < other.since + other.lasts) out.push_back(name);
  if (now < lives_until()) out.push_back(member_);
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Value> MembersState::abandoned(Instant now) const {
  std::vector<Value> out;
  for (const auto& [name, other] : others_)
    if (now >= other.since + 10 * other.lasts) out.push_back(other.lease);
  return out;
}

}  // namespace portico::cluster
