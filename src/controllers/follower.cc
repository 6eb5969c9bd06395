#include "controllers/follower.h"

#include <utility>

namespace portico::controllers {

using json::Value;
using registry::Change;
using registry::Event;

Follower::Step Follower::failed(Error error) {
  shared_.with([](Shared& shared) { shared.watch = nullptr; });
  // The first error after a working watch causes no pause.
  const int failures = failures_++;
  Step out;
  out.error = std::move(error);
  if (failures > 0)
    out.pause = std::chrono::ceil<std::chrono::milliseconds>(
        options_.back_off.after(failures, options_.jitter()));
  return out;
}

Result<std::vector<Event>> Follower::list() {
  PORTICO_TRY(const registry::Listing all, registry_.list({}));
  std::vector<Event> events;
  std::map<krm::ObjectKey, Value> gone = std::exchange(known_, {});
  for (const Value& object : all.objects) {
    krm::ObjectKey key = krm::object_key(object);
    const auto before = gone.extract(key);
    if (!before)
      events.push_back({Change::kAdded, object, {}, all.version});
    else if (!before.mapped().same_as(object) && before.mapped() != object)
      events.push_back({Change::kModified, object, before.mapped(), all.version});
    known_.emplace_hint(known_.end(), std::move(key), object);
  }
  for (const auto& [key, object] : gone)
    events.push_back({Change::kDeleted, object, object, all.version});
  std::shared_ptr<registry::Watch> watch = registry_.watch({}, all.version);
  shared_.with([&](Shared& shared) { shared.watch = std::move(watch); });
  version_ = all.version;
  return events;
}

Follower::Step Follower::next(std::chrono::milliseconds wait) {
  const auto [watch, stopped] =
      shared_.with([](const Shared& shared) { return std::pair(shared.watch, shared.stopped); });
  if (stopped) return {};
  Step out;
  if (watch == nullptr) {
    auto listed = list();
    if (!listed) return failed(std::move(listed).error());
    out.events = *std::move(listed);
    return out;
  }
  auto events = watch->next(wait);
  if (!events) return failed(std::move(events).error());
  out.events = *std::move(events);
  for (const Event& event : out.events) {
    krm::ObjectKey key = krm::object_key(event.object);
    if (event.change == Change::kDeleted)
      known_.erase(key);
    else
      known_.insert_or_assign(std::move(key), event.object);
  }
  if (!out.events.empty()) version_ = out.events.back().version;
  failures_ = 0;
  return out;
}

void Follower::stop() {
  const auto watch = shared_.with([](Shared& shared) {
    shared.stopped = true;
    return shared.watch;
  });
  if (watch != nullptr) watch->stop();
}

}  // namespace portico::controllers
