#include "cluster/internal/initial_events.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "reflector/reflector.h"

namespace portico::cluster {

InitialEvents::InitialEvents(std::stop_source stream, InitialEventsLimits limits)
    : stream_(std::move(stream)), thread_([this, limits] { run(limits); }) {}

InitialEvents::~InitialEvents() {
  progress_.change([](Progress& now) { now.complete = true; });
}

bool InitialEvents::take(const WatchEvent& event) {
  if (event.type != WatchEvent::Type::kBookmark)
    return progress_.with([](Progress& now) {
      ++now.events;
      return now.outcome == Outcome::kExpected;
    });
  const bool ends = reflector::ends_initial_events(event.object);
  return progress_.change([&](Progress& now) {
    if (!now.complete && now.outcome == Outcome::kExpected) {
      if (!ends) now.outcome = Outcome::kNoEnd;
      now.complete = true;
    }
    return now.outcome == Outcome::kExpected;
  });
}

InitialEvents::Outcome InitialEvents::outcome() const {
  return progress_.with([](const Progress& now) { return now.outcome; });
}

void InitialEvents::run(const InitialEventsLimits& limits) {
  const auto end = std::chrono::steady_clock::now() + limits.total;
  std::size_t before = 0;
  bool late = false;
  for (bool over = false; !over;) {
    const auto until = std::min<std::chrono::steady_clock::time_point>(
        std::chrono::steady_clock::now() + limits.silence, end);
    over = progress_.wait_until(
        until, [](const Progress& now) { return now.complete; },
        [&](Progress& now) {
          if (now.complete) return true;
          late = now.events == before || until == end;
          if (late) now.outcome = now.events > 0 ? Outcome::kNoEnd : Outcome::kSilent;
          before = now.events;
          return late;
        });
  }
  if (late) stream_.request_stop();
}

}  // namespace portico::cluster
