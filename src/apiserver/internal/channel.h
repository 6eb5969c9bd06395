// One registry watch, shared by all client watches that ask for the same.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/internal/printed_events.h"
#include "apiserver/pump.h"
#include "apiserver/watching.h"
#include "base/guarded.h"
#include "base/result.h"
#include "http/message.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// One client watch. Fields that only the channel touches are not guarded.
struct Listener {
  std::shared_ptr<http::Stream> stream;
  registry::ResourceVersion from = 0;   // events up to this version are not sent
  registry::ResourceVersion begin = 0;  // the same, but at most the registry's version
  bool bookmarks = false;
  /// The listener's own watch, used while it cannot be brought up to the channel's version.
  std::unique_ptr<registry::Watch> own = {};
  bool has_left = false;  // guarded by the channel
};

/// Writes an event of type ERROR, and ends the stream.
void fail(http::Stream& stream, const kubeapi::StatusError& refusal);
/// {"object":{...},"type":"ADDED"} and a newline.
http::Chunk event_text(const char* type, const json::Value& object);

/// Thread-safe. One caller at a time does the work, on its own thread; the others queue their
/// requests and return, so that no caller blocks. It lives as long as it has listeners.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  Channel(registry::Registry& registry, Pump& pump, PrintedEvents& printed, WatchScope sight)
      : registry_(registry), pump_(pump), printed_(printed), sight_(std::move(sight)) {}

  /// Sends the listener all events after its `from`.
  void join(const std::shared_ptr<Listener>& listener);
  void leave(const std::shared_ptr<Listener>& listener);
  /// Queues a bookmark, after the pending events.
  void bookmark(const std::shared_ptr<Listener>& listener);
  /// Ends the stream after the pending events, and a bookmark if the listener wants bookmarks.
  void end(const std::shared_ptr<Listener>& listener);

 private:
  using Listeners = std::vector<std::shared_ptr<Listener>>;
  struct State {
    Listeners all;                         // receive events
    Listeners joining, bookmarks, ending;  // queued requests
  };

  void run();
  void step();
  registry::OnReady run_later();
  Listeners listeners() const;

  void tell_all();
  Result<Done> drain();
  void tell_apart();
  Result<Done> drain_own(Listener& listener);
  void give_up(const std::shared_ptr<Listener>& listener, const Error& error);
  void admit(const std::shared_ptr<Listener>& listener);
  Result<Done> bring_level(Listener& listener);
  void write_bookmark(Listener& listener);
  static void write(Listener& listener, const kubeapi::StatusOr<http::Chunk>& text);
  std::optional<registry::Event> seen(const registry::Event& event) const;
  kubeapi::StatusOr<http::Chunk> text_of(const registry::Event& event);
  http::Chunk text_of_bookmark(registry::ResourceVersion version);

  registry::Registry& registry_;
  Pump& pump_;
  PrintedEvents& printed_;
  const WatchScope sight_;
  Guarded<State> state_;
  std::atomic<int> asked_ = 0;  // above 1 while run() has more to do
  // Used only by the thread in run().
  std::unique_ptr<registry::Watch> watch_;
  bool are_apart_ = false;  // listeners may have their own watches
};

/// The channels that have listeners. Thread-safe.
class Channels {
 public:
  /// The existing channel for the same selection and form, or a new one.
  std::shared_ptr<Channel> of(registry::Registry& registry, Pump& pump, PrintedEvents& printed,
                              const WatchScope& sight);

 private:
  struct State {
    std::map<std::vector<std::string>, std::weak_ptr<Channel>> channels;
    std::size_t sweep_at = 64;  // at this size, expired channels are removed
  };
  Guarded<State> state_;
};

}  // namespace portico::apiserver
