#include "cluster/internal/remote_watch.h"

#include <algorithm>
#include <utility>

#include "base/world_error.h"

namespace portico::cluster {

using registry::Change;
using registry::Event;
using registry::ResourceVersion;

namespace {

constexpr auto kShortestPause = std::chrono::milliseconds(200);
constexpr auto kLongestPause = std::chrono::seconds(30);

}  // namespace

RemoteWatch::RemoteWatch(Api& api, std::vector<Watched> watched, registry::Selector selector,
                         ResourceVersion from, registry::OnReady on_ready,
                         std::optional<Error> refused)
    : api_(api), selector_(std::move(selector)), from_(from), on_ready_(std::move(on_ready)) {
  inbox_.change([&](Inbox& inbox) {
    inbox.seen = from;
    inbox.error = std::move(refused);
  });
  for (Watched& each : watched)
    streams_.emplace_back(
        [this, watched = std::move(each)](const std::stop_token& stop) { run(watched, stop); });
}

RemoteWatch::~RemoteWatch() { stop(); }

void RemoteWatch::stop() {
  for (std::jthread& each : streams_) each.request_stop();
  const bool armed = inbox_.change([](Inbox& inbox) {
    inbox.stopped = true;
    return std::exchange(inbox.armed, false);
  });
  wake(armed);
}

void RemoteWatch::wake(bool armed) {
  if (armed && on_ready_) on_ready_();
}

void RemoteWatch::push(std::optional<Event> event, ResourceVersion seen) {
  const bool armed = inbox_.change([&](Inbox& inbox) {
    inbox.seen = std::max(inbox.seen, seen);
    if (!event) return false;
    inbox.events.push_back(*std::move(event));
    return std::exchange(inbox.armed, false);
  });
  wake(armed);
}

void RemoteWatch::fail(Error error) {
  const bool armed = inbox_.change([&](Inbox& inbox) {
    inbox.error = std::move(error);
    return std::exchange(inbox.armed, false);
  });
  wake(armed);
}

bool RemoteWatch::take(const WatchEvent& event, std::map<krm::ObjectKey, json::Value>& known,
                       ResourceVersion& seen) {
  seen = std::max(seen, krm::resource_version_of(event.object));
  if (event.type == WatchEvent::Type::kBookmark) {
    push(std::nullopt, seen);
    return true;
  }
  const krm::ObjectKey key = krm::object_key(event.object);
  const auto had = known.find(key);
  const bool gone = event.type == WatchEvent::Type::kDeleted;
  const bool matches = selector_.matches(event.object);
  Event out{Change::kModified, event.object, had == known.end() ? json::Value() : had->second,
            seen};
  if (selector_.every_content()) {
    // The server filters, so its type of change is reported unchanged.
    out.change = gone                                     ? Change::kDeleted
                 : event.type == WatchEvent::Type::kAdded ? Change::kAdded
                                                          : Change::kModified;
  } else if (gone || !matches) {
    if (had == known.end()) {
      push(std::nullopt, seen);
      return true;
    }
    out.change = Change::kDeleted;
    if (!matches)
      out.object = had->second.with_at({"metadata", "resourceVersion"}, std::to_string(seen));
  } else {
    out.change = had == known.end() ? Change::kAdded : Change::kModified;
  }
  if (out.change == Change::kAdded) out.previous = json::Value();
  if (out.change == Change::kDeleted)
    known.erase(key);
  else
    known[key] = event.object;
  push(std::move(out), seen);
  return true;
}

void RemoteWatch::run(const Watched& watched, const std::stop_token& stop) {
  std::map<krm::ObjectKey, json::Value> known;
  ResourceVersion seen = from_;
  std::chrono::milliseconds pause = kShortestPause;
  while (!stop.stop_requested()) {
    ListOptions options = watched.options;
    options.version = std::to_string(seen);
    std::chrono::milliseconds at_least{0};
    options.on_retry_after = [&](std::chrono::seconds wait) { at_least = wait; };
    const auto done = api_.watch(watched.resource, options, stop, [&](const WatchEvent& event) {
      pause = kShortestPause;
      return take(event, known, seen);
    });
    if (stop.stop_requested()) return;
    if (!done && remedy_of(done.error()) != Remedy::kRetry) return fail(done.error());
    if (done) continue;
    // The server is unreachable: retry with increasing pauses.
    inbox_.wait_until(
        std::chrono::steady_clock::now() + std::max(pause, at_least),
        [](const Inbox& inbox) { return inbox.stopped; }, [](Inbox&) {});
    pause = std::min<std::chrono::milliseconds>(2 * pause, kLongestPause);
  }
}

Result<std::vector<Event>> RemoteWatch::next(std::chrono::milliseconds wait) {
  using Out = Result<std::vector<Event>>;
  return inbox_.wait_until(
      std::chrono::steady_clock::now() + wait,
      [](const Inbox& inbox) { return inbox.stopped || inbox.error || !inbox.events.empty(); },
      [](Inbox& inbox) -> Out {
        std::vector<Event> out(std::make_move_iterator(inbox.events.begin()),
                               std::make_move_iterator(inbox.events.end()));
        inbox.events.clear();
        if (out.empty() && inbox.error && !inbox.stopped) return *inbox.error;
        inbox.armed = out.empty();
        return out;
      });
}

ResourceVersion RemoteWatch::version() const {
  return inbox_.with([](const Inbox& inbox) {
    return inbox.events.empty() ? inbox.seen : inbox.events.front().version - 1;
  });
}

}  // namespace portico::cluster
