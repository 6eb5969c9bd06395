// Decides what to do next to keep a copy of a server's objects: list, watch, or list again. A state
// machine without sockets, threads or clocks, named after client-go's reflector. Pure.
//
// Source: the Kubernetes API concepts (efficient detection of changes, 410 Gone, bookmarks,
// streaming lists, retrieving large results in chunks).
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace portico::reflector {

/// A monotonic time with an arbitrary origin.
using Instant = std::chrono::milliseconds;

struct Settings {
  std::chrono::milliseconds least_wait{800},
      most_wait{30'000};  // after a failure; doubled each time
  /// A watch that ends sooner, without an event, counts as a failure, because it would be reopened
  /// at once.
  std::chrono::milliseconds short_watch{5'000};
  /// Whether to ask the server first to start a watch with all existing objects
  /// (sendInitialEvents), instead of listing them in pages. A server that refuses is not asked
  /// again. After any other failure of such a watch the objects are listed once.
  bool streaming = false;
  /// Whether a watch can continue at a version. If not, as with Porch, whose watches begin anew,
  /// the objects are listed again after each watch.
  bool resumes = true;
};

// ---- inputs

struct Begin {};
struct ListPage {
  std::vector<json::Value> objects;
  std::string version;  // metadata.resourceVersion of the list
  std::string next;     // metadata.continue; "": the last page
};
struct ListFailed {
  Error error;
  std::optional<std::chrono::milliseconds> retry_after{};  // as requested by the server
};
enum class EventType { kAdded, kModified, kDeleted, kBookmark };
struct WatchEvent {
  EventType type = EventType::kAdded;
  json::Value object;
};
/// Whether a bookmark says that the initial events of its watch have all been sent.
bool ends_initial_events(const json::Value& bookmark);
/// The watch could not be opened, was interrupted, or received ERROR.
struct WatchFailed {
  Error error;
  std::optional<std::chrono::milliseconds> retry_after{};
};
/// The server did not say in time where the initial events of a watch end. `remember`: because it
/// does not support that, so it is not asked for them again.
struct NoInitialEvents {
  bool remember = false;
};
/// The server ended the watch regularly, as it does after some minutes.
struct WatchEnded {};
struct WaitOver {};
using Input = std::variant<Begin, ListPage, ListFailed, WatchEvent, WatchFailed, NoInitialEvents,
                           WatchEnded, WaitOver>;

// ---- requests

/// The page after `next`; "": the first page of the newest state.
struct List {
  std::string next;
  bool operator==(const List&) const = default;
};
/// Starts at `version`, with bookmarks; or, with `initial_events` and no version, with all existing
/// objects followed by changes.
struct Watch {
  std::string version;
  bool initial_events = false;
  bool operator==(const Watch&) const = default;
};
struct Wait {
  std::chrono::milliseconds time{};
  bool operator==(const Wait&) const = default;
};
using Request = std::variant<List, Watch, Wait>;

/// How an object of the copy changes. Objects are compared without their resourceVersion: on some
/// servers it has no order and changes for no reason.
enum class News {
  kAdded,
  kModified,
  kDeleted,
  kRenewed,  // only its resourceVersion changed: relevant only for clients that write the object
};
struct Change {
  News news = News::kAdded;
  json::Value object;    // for kDeleted the last known state
  json::Value previous;  // null for kAdded
};

class State {
 public:
  using Key = std::pair<std::string, std::string>;  // namespace, name

  explicit State(Settings settings = {}) : settings_(settings) {}

  /// The copy.
  const std::map<Key, json::Value>& objects() const { return known_; }

 private:
  friend struct Machine;
  enum class Phase { kIdle, kListing, kStreaming, kWatching, kWaitingToList, kWaitingToWatch };

  Settings settings_;
  Phase phase_ = Phase::kIdle;
  bool pages_next_ = false;  // a watch with initial events has failed
  std::map<Key, json::Value> known_, arriving_;
  std::string version_;
  int list_failures_ = 0;   // since the last complete list
  int watch_failures_ = 0;  // since a watch received an event, or lasted
  Instant opened_{};        // the watch
  bool heard_ = false;      // whether this watch has received an event
};

struct Step {
  State state;
  std::vector<Change> changes{};  // to the copy, in order
  std::string version{};          // of the server, that the copy has reached
  /// nullopt: the previous request continues.
  std::optional<Request> request{};
  /// The copy has just become the complete state of the server at one version.
  bool complete = false;
  std::optional<Error> problem{};  // the error, for logs; the request is retried
};

/// `jitter` is random, from 0 to 1: waits are between 0.5 and 1.5 times the planned time. An input
/// that does not belong to the last request (a late answer) is ignored. The copy is never dropped:
/// objects missing from a new list are deleted once the list is complete.
Step step(State state, Input input, Instant now, double jitter);

}  // namespace portico::reflector
