#include "registry/state.h"

#include <utility>

#include "krm/meta.h"

namespace portico::registry {

Result<Done> State::check_kept(ResourceVersion wanted) const {
  if (wanted < compacted)
    return not_found("version {} is no longer kept, events go back to version {}; list again",
                     wanted, compacted)
        .because(Reason::kExpired);
  if (wanted > version())
    return not_found("version {} is ahead of the store, which is at {}; list again", wanted,
                     version())
        .because(Reason::kExpired);
  return Done{};
}

void State::append(Event event, krm::ObjectKey key) {
  const ResourceVersion version = event.version;
  *window.edit(version).first =
      std::make_shared<const Entry>(Entry{std::move(event), std::move(key)});
}

void State::forget(std::size_t count) {
  for (; count > 0; --count) window.erase(++compacted);
}

std::vector<ResourceVersion> superseded_by(const State& state, std::size_t count) {
  std::vector<ResourceVersion> versions;
  for (auto at = state.window.begin(); at && count > 0; ++at, --count) {
    const Event& event = at->value->event;
    if (!event.previous.is_null()) versions.push_back(krm::resource_version_of(event.previous));
    if (event.change == Change::kDeleted) versions.push_back(event.version);
  }
  return versions;
}

}  // namespace portico::registry
