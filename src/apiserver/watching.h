// API watches: events of a registry, written to an HTTP stream.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "http/message.h"
#include "json/value.h"
#include "kubeapi/selector.h"
#include "kubeapi/status_error.h"
#include "registry/registry.h"

namespace portico::apiserver {

class Channels;
class PrintedEvents;
class Pump;

/// What a watch selects, and how its client sees it.
struct WatchScope {
  registry::Query query;
  kubeapi::Filter filter;
  /// The object as the client sees it: in its version and format. An error ends the stream.
  std::function<kubeapi::StatusOr<json::Value>(const json::Value& object)> shape;
  /// Watches with the same form produce the same text for an object, so their events are printed
  /// once. "": the text is specific to this watch.
  std::string form = "";
  /// Watches with the same words have the same selection and form, and share one registry watch.
  /// Empty: this watch is not shared.
  std::vector<std::string> words = {};
  /// Makes the object of a bookmark event.
  std::function<json::Value(registry::ResourceVersion version, bool initial_end)> bookmark;
};

/// One watch as a client asked for it.
struct WatchRequest {
  WatchScope sight;
  /// The version to start after; nullopt: existing objects are sent first, as ADDED events.
  std::optional<registry::ResourceVersion> from;
  bool initial_events = false;  // initially existing objects, then a bookmark that marks their end
  bool bookmarks = false;
  std::chrono::seconds timeout{0};
  /// If set, the only event that the client gets: one of type ERROR.
  std::optional<kubeapi::StatusError> refusal = {};
};

/// What watches use. All must outlive the streams; `printed` must outlive the pump, whose threads
/// use it.
struct WatchWorld {
  registry::Registry& registry;
  Pump& pump;
  PrintedEvents& printed;
  Channels& channels;  // of this registry
};

/// The stream of a watch. The stream itself closes slow readers. As in Kubernetes, kExpired becomes
/// an event of type ERROR.
http::Streaming watch(const WatchWorld& world, WatchRequest request, http::Response head);

}  // namespace portico::apiserver
