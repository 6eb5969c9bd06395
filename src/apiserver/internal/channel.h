// What watches that ask for the same share: one watch of the registry, from which each of them is
// written to.
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

/// The stream of one watch. What the channel alone touches is not guarded.
struct Listener {
  std::shared_ptr<http::Stream> stream;
  registry::ResourceVersion from = 0;   // of what comes up to here it is told nothing
  registry::ResourceVersion begin = 0;  // the same, or where the registry is: no future
  bool bookmarks = false;
  /// Of one that cannot be brought to where the others are: it is told by this instead.
  std::unique_ptr<registry::Watch> own = {};
  bool has_left = false;  // guarded by the channel
};

/// Writes the event of type ERROR, and ends the stream.
void fail(http::Stream& stream, const kubeapi::Refusal& refusal);
/// {"object":{...},"type":"ADDED"} and a line's end.
http::Chunk event_text(const char* type, const json::Value& object);

/// Safe from any thread. What it does is done by one of its callers at a time, on their thread: the
/// others leave what they ask for, so that nobody waits. It lives as long as somebody listens.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  Channel(registry::Registry& registry, Pump& pump, PrintedEvents& printed, Sight sight)
      : registry_(registry), pump_(pump), printed_(printed), sight_(std::move(sight)) {}

  /// From now on the listener is told what comes after its `from`.
  void join(const std::shared_ptr<Listener>& listener);
  void leave(const std::shared_ptr<Listener>& listener);
  /// After what there is: a bookmark.
  void bookmark(const std::shared_ptr<Listener>& listener);
  /// After what there is, and a bookmark where it has any: the end.
  void end(const std::shared_ptr<Listener>& listener);

 private:
  using Listeners = std::vector<std::shared_ptr<Listener>>;
  struct State {
    Listeners all;                         // that are told
    Listeners joining, bookmarks, ending;  // what is asked for
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
  static void write(Listener& listener, const kubeapi::Reply<http::Chunk>& text);
  std::optional<registry::Event> seen(const registry::Event& event) const;
  kubeapi::Reply<http::Chunk> text_of(const registry::Event& event);
  http::Chunk text_of_bookmark(registry::ResourceVersion version);

  registry::Registry& registry_;
  Pump& pump_;
  PrintedEvents& printed_;
  const Sight sight_;
  Guarded<State> state_;
  std::atomic<int> asked_ = 0;  // of who runs: whether there is more
  // Of who runs alone.
  std::unique_ptr<registry::Watch> watch_;
  bool are_apart_ = false;  // listeners may have watches of their own
};

/// The channels that somebody listens to. Safe from any thread.
class Channels {
 public:
  /// The channel of who sees the same, or a new one.
  std::shared_ptr<Channel> of(registry::Registry& registry, Pump& pump, PrintedEvents& printed,
                              const Sight& sight);

 private:
  struct State {
    std::map<std::vector<std::string>, std::weak_ptr<Channel>> channels;
    std::size_t sweep_at = 64;  // so many, and those that are gone are looked for
  };
  Guarded<State> state_;
};

}  // namespace portico::apiserver
