// What somebody who keeps a copy of a server's objects does next: list, watch, list again. A state
// machine without sockets, threads or clocks, named after client-go's reflector. Pure.
//
// Source: the API concepts of Kubernetes (efficient detection of changes, 410 Gone, bookmarks,
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

/// Of a monotonic clock, from any beginning.
using Instant = std::chrono::milliseconds;

struct Settings {
  std::chrono::milliseconds least_wait{800},
      most_wait{30'000};  // after a failure; doubled for each
  /// A watch that ends sooner, without an event, counts as a failure: it would be opened at once.
  std::chrono::milliseconds short_watch{5'000};
  /// Whether the server may be asked to begin a watch with all there is (sendInitialEvents).
  bool streaming = false;
};

// ---- what happened

struct Begin {};
struct ListPage {
  std::vector<json::Value> objects;
  std::string version;  // metadata.resourceVersion of the list
  std::string next;     // metadata.continue; "": the last page
};
struct ListFailed {
  Error error;
  std::optional<std::chrono::milliseconds> retry_after{};  // what the server asks for
};
enum class EventType { kAdded, kModified, kDeleted, kBookmark };
struct WatchEvent {
  EventType type = EventType::kAdded;
  json::Value object;
};
/// It could not be opened, was cut, or said ERROR.
struct WatchFailed {
  Error error;
  std::optional<std::chrono::milliseconds> retry_after{};
};
/// The server ended it in good order, as it does after some minutes.
struct WatchEnded {};
struct WaitOver {};
using Input =
    std::variant<Begin, ListPage, ListFailed, WatchEvent, WatchFailed, WatchEnded, WaitOver>;

// ---- what is to be done

/// The page that follows `next`; "": the first, of the newest state.
struct List {
  std::string next;
  bool operator==(const List&) const = default;
};
/// From a version on, with bookmarks; or, with initial events and without a version, all there is
/// and then what happens.
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

/// How an object of the copy changes. Objects are compared by what they say: the resourceVersions
/// of some servers have no order and change without reason.
enum class News {
  kAdded,
  kModified,
  kDeleted,
  kRenewed,  // nothing but its resourceVersion: for who writes it, and news for nobody else
};
struct Change {
  News news = News::kAdded;
  json::Value object;    // of kDeleted the last state that is known
  json::Value previous;  // null for kAdded
};

class State {
 public:
  explicit State(Settings settings = {}) : settings_(settings) {}

 private:
  friend struct Machine;
  enum class Phase { kIdle, kListing, kStreaming, kWatching, kWaitingToList, kWaitingToWatch };
  using Key = std::pair<std::string, std::string>;  // namespace, name

  Settings settings_;
  Phase phase_ = Phase::kIdle;
  std::map<Key, json::Value> known_, arriving_;
  std::string version_;
  int list_failures_ = 0;   // since a list was whole
  int watch_failures_ = 0;  // since a watch said something, or lasted
  Instant opened_{};        // the watch
  bool heard_ = false;      // something, from this watch
};

struct Step {
  State state;
  std::vector<Change> changes{};  // of the copy, in order
  std::string version{};          // of the server, that the copy has come to
  /// None: what was asked for before goes on.
  std::optional<Request> request{};
  /// The copy has just become all that the server had at one version.
  bool complete = false;
  std::optional<Error> problem{};  // what failed, for logs; it is tried again
};

/// `jitter` is random, from 0 to 1: waits are half to one and a half times as long as planned. An
/// input that does not belong to what was asked for last (a late answer) changes nothing. The copy
/// is never dropped: what a new list lacks is deleted when the list is whole.
Step step(State state, Input input, Instant now, double jitter);

}  // namespace portico::reflector
