#include "gitpackages/sync_plan.h"

#include <map>

#include "gitpackages/package_revision.h"
#include "krm/meta.h"

namespace portico::gitpackages {

using json::Value;

std::vector<registry::Write> sync_plan(const std::vector<Value>& stored,
                                       const std::vector<Value>& fresh) {
  std::map<std::string_view, const Value*> have, want;
  for (const Value& object : stored) have.emplace(krm::name_of(object), &object);
  for (const Value& object : fresh) want.emplace(krm::name_of(object), &object);

  std::vector<registry::Write> writes;
  for (const auto& [name, object] : have)
    if (!want.contains(name)) writes.push_back({registry::Verb::kDelete, *object});
  for (const auto& [name, object] : want) {
    const auto at = have.find(name);
    if (at == have.end()) {
      writes.push_back({registry::Verb::kCreate, *object});
      continue;
    }
    const Value updated = refreshed(*at->second, *object);
    if (updated != *at->second) append_update(writes, *at->second, updated);
  }
  return writes;
}

void append_update(std::vector<registry::Write>& writes, const Value& before, const Value& after) {
  const bool spec = before.without("status") != after.without("status");
  if (spec) writes.push_back({registry::Verb::kUpdate, after});
  if (before["status"] != after["status"]) {
    // The first write to the object changed its resourceVersion.
    writes.push_back({registry::Verb::kUpdateStatus,
                      spec ? after.without_at({"metadata", "resourceVersion"}) : after});
  }
}

}  // namespace portico::gitpackages
