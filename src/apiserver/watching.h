// Watches of the API: what a registry hands out as events, written to a stream.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/message.h"
#include "json/value.h"
#include "kubeapi/refusal.h"
#include "kubeapi/selector.h"
#include "registry/registry.h"

namespace portico::apiserver {

class Channels;
class PrintedEvents;
class Pump;

/// What a watch looks at, and how its client sees that.
struct Sight {
  registry::Query query;
  kubeapi::Filter filter;
  /// What the client sees of an object: at its version, in its form. A refusal ends the stream.
  std::function<kubeapi::Reply<json::Value>(const json::Value& object)> shape;
  /// Watches with the same one make the same of an object: their events are printed once. "": what
  /// this one makes is its own.
  std::string form = "";
  /// Watches with the same words have the same of all the above, and share one watch of the
  /// registry. None: this one shares with nobody.
  std::vector<std::string> words = {};
  /// A bookmark's object.
  std::function<json::Value(registry::ResourceVersion version, bool initial_end)> bookmark;
};

/// One watch as a client asked for it.
struct WatchRequest {
  Sight sight;
  /// From where; nullopt: what there is comes first, as additions.
  std::optional<registry::ResourceVersion> from;
  bool initial_events = false;  // additions of what there is, then a bookmark that says so
  bool bookmarks = false;
  std::chrono::seconds timeout{0};
  /// All that the client gets: an event of type ERROR.
  std::optional<kubeapi::Refusal> refusal = {};
};

/// What watches work with. All outlive the streams, and `printed` the pump, whose threads use it.
struct WatchWorld {
  registry::Registry& registry;
  Pump& pump;
  PrintedEvents& printed;
  Channels& channels;  // of this registry
};

/// The stream of a watch. A reader who does not keep up is closed by the stream itself. kExpired
/// becomes an event of type ERROR, as Kubernetes has it.
http::Streaming watch(const WatchWorld& world, WatchRequest request, http::Response head);

}  // namespace portico::apiserver
