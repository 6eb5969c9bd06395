#include "git/internal/push_order.h"

#include <algorithm>
#include <unordered_set>

namespace portico::git {

PushOrder push_order(std::span<const RefChange> changes) {
  PushOrder out;
  if (std::none_of(changes.begin(), changes.end(),
                   [](const RefChange& change) { return change.after.is_zero(); })) {
    out.first.assign(changes.begin(), changes.end());
    return out;
  }
  std::unordered_set<Oid> there{Oid{}};
  for (const RefChange& change : changes) there.insert(change.before);
  for (const RefChange& change : changes)
    (there.contains(change.after) ? out.rest : out.first).push_back(change);
  return out;
}

}  // namespace portico::git
