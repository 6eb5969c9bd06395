// Ends a watch that does not say where its initial events end, as on a server that does not know
// sendInitialEvents.
#pragma once

#include <cstddef>
#include <stop_token>
#include <thread>

#include "base/monitor.h"
#include "cluster/api.h"
#include "cluster/mirror.h"

namespace portico::cluster {

/// Requests the stop of `stream` unless the bookmark at the end of the initial events arrives
/// within the limits. `take` is for one thread.
class InitialEvents {
 public:
  InitialEvents(std::stop_source stream, InitialEventsLimits limits);
  ~InitialEvents();

  /// For each event, before it is used. False: ignore it and end the watch.
  bool take(const WatchEvent& event);

  enum class Outcome {
    kExpected,  // they have ended, or may still end
    kSilent,    // it is too late, and there was no event
    kNoEnd,     // it is too late, or there was another bookmark
  };
  Outcome outcome() const;

 private:
  struct Progress {
    std::size_t events = 0;
    bool complete = false;
    Outcome outcome = Outcome::kExpected;
  };
  void run(const InitialEventsLimits& limits);

  std::stop_source stream_;
  Monitor<Progress> progress_;
  std::jthread thread_;  // last member, because it uses all others
};

}  // namespace portico::cluster
