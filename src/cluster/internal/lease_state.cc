#include "cluster/internal/lease_state.h"

#include <fmt/format.h>

namespace portico::cluster {

using json::Value;

namespace {

// metav1.MicroTime.
std::string micro_time(TimePoint time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  std::string text = rfc3339(TimePoint(whole));
  text.pop_back();
  return fmt::format("{}.{:06}Z", text, (time - whole).count() * 1000);
}

}  // namespace

void LeaseState::saw(const Value& lease, Instant now) {
  const auto of = [](const Value& object) {
    const Value& spec = object["spec"];
    return std::pair(spec["holderIdentity"], spec["renewTime"]);
  };
  if (lease_.is_null() || lease.is_null() || of(lease) != of(lease_)) since_ = now;
  lease_ = lease;
  held_by_ = lease["spec"]["holderIdentity"].as_string();
  lasts_ = std::chrono::seconds(lease["spec"]["leaseDurationSeconds"].as_int());
}

Instant LeaseState::free_at() const {
  if (held_by_.empty() || held_by_ == holder_) return since_;
  return since_ + lasts_;
}

bool LeaseState::is_free(Instant now) const { return now >= free_at(); }

Value LeaseState::taken(const std::string& ns, const std::string& name, TimePoint now) const {
  const std::string time = micro_time(now);
  const bool ours = held_by_ == holder_;
  Value out = lease_;
  if (out.is_null())
    out = Value::object({{"apiVersion", "coordination.k8s.io/v1"},
                         {"kind", "Lease"},
                         {"metadata", Value::object({{"name", name}, {"namespace", ns}})}});
  const std::int64_t before = lease_["spec"]["leaseTransitions"].as_int();
  return out.with(
      "spec",
      Value::object({{"holderIdentity", holder_},
                     {"leaseDurationSeconds", static_cast<std::int64_t>(duration_.count())},
                     {"acquireTime", ours ? lease_["spec"]["acquireTime"] : Value(time)},
                     {"renewTime", time},
                     {"leaseTransitions", ours || lease_.is_null() ? before : before + 1}}));
}

Value LeaseState::given_back() const {
  if (held_by_ != holder_ || lease_.is_null()) return {};
  return lease_.with_at({"spec", "holderIdentity"}, "")
      .with_at({"spec", "leaseDurationSeconds"}, 1);
}

}  // namespace portico::cluster
