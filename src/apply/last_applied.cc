#include "apply/last_applied.h"

#include "json/text.h"
#include "krm/meta.h"

namespace portico::apply {
namespace {

using json::Member;
using json::Value;

Value merge(const Value& last, const Value& stored, const Value& wanted) {
  if (!wanted.is_object() || !stored.is_object()) return wanted;
  Value out = stored;
  for (const Member& member : last.members())
    if (!wanted.contains(member.name())) out = out.without(member.name());
  for (const Member& member : wanted.members())
    out = out.with(member.name(), merge(last[member.name()], stored[member.name()], member.value));
  return out;
}

/// The record keeps only the field names of a Secret, so that its values are not exposed.
Value without_values(Value secret) {
  for (const Member& entry : secret["data"].members())
    secret = secret.with_at({"data", entry.name()}, "");
  return secret;
}

}  // namespace

Value merge_applied(const Value& stored, const Value& wanted_with_status) {
  Value wanted = wanted_with_status.without("status");
  // The record must not contain itself.
  if (wanted["metadata"]["annotations"].contains(kLastApplied))
    wanted = wanted.without_at({"metadata", "annotations", kLastApplied});
  const bool secret = krm::group_kind(wanted) == krm::GroupKind{"", "Secret"};
  const std::string record = json::print(secret ? without_values(wanted) : wanted) + "\n";
  Value last;
  if (auto parsed = json::parse(stored["metadata"]["annotations"][kLastApplied].as_string()))
    last = std::move(*parsed);
  const Value merged = stored.is_null() ? wanted : merge(last, stored, wanted);
  return merged.with_at({"metadata", "annotations", kLastApplied}, record);
}

}  // namespace portico::apply
