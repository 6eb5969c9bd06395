// The Registry over a Kubernetes API with a local copy (like an informer): reads are local and have
// versions without gaps, writes go to the API and are visible at once.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/log.h"
#include "cluster/api.h"
#include "krm/meta.h"
#include "reflector/reflector.h"
#include "registry/indexed_field.h"
#include "registry/registry.h"

namespace portico::cluster {

/// For a watch that begins with all existing objects: if the server does not say where these end,
/// the objects are listed instead.
struct InitialEventsLimits {
  std::chrono::milliseconds silence = std::chrono::seconds(5);  // between events; at most doubled
  std::chrono::milliseconds total = std::chrono::minutes(2);
};

struct MirrorOptions {
  std::vector<registry::IndexedField> indexes = {};  // fields for queries
  std::vector<krm::GroupKind> kinds = {};  // followed from the start; others when first queried
  /// Follow only this namespace, for namespaced kinds; "": all.
  std::string ns = {};
  /// Kinds that are read from the API each time instead of being followed, for many objects that
  /// are rarely read; watches do not show them.
  std::set<krm::GroupKind> direct = {};
  /// Of kinds that are in neither `kinds` nor `whole`, keep only the metadata, for kinds of which
  /// few objects are read but any may be watched: list() and watches show apiVersion, kind,
  /// metadata and `contentVersion`, which differs after a change of more than the status. get()
  /// reads the object from the API, once for each of its versions.
  bool metadata_of_others = false;
  std::set<krm::GroupKind> whole = {};
  /// Kinds of a server like Porch: a watch starts with all objects, but the server does not say
  /// where these end, cannot continue it where another one ended, and may lose events. They are
  /// listed in pages before each watch, and a watch lasts `relist` to twice that.
  std::set<krm::GroupKind> relisted = {};
  std::chrono::seconds relist = std::chrono::minutes(5);
  /// The form in which to show an object received from the API; null: it is treated as absent until
  /// it is first shown. Must be pure, and may neither change nor depend on namespace, name and
  /// versions. Empty: objects are shown unchanged.
  std::function<json::Value(const json::Value& object)> shown = {};
  /// How long a read waits for the first list of a kind.
  std::chrono::milliseconds patience = std::chrono::seconds(30);
  std::size_t watch_window = 4096;  // events kept for watches that begin in the past
  reflector::Settings reflector = {.streaming = true};
  InitialEventsLimits initial_events = {};
  std::size_t page = 500;
  std::function<double()> random = {};  // returns 0 to 1; empty: the system's generator
  Log* log = nullptr;                   // may be null; must outlive the mirror
  std::stop_token stop = {};            // when requested, reads no longer wait
};

class Mirror : public registry::Registry {
 public:
  /// The API's response to a request that did not go through this registry: reads see it, or a
  /// later state, from now on. `since` is version() from before the request was sent. Where the
  /// API's versions have no order and the watch has reported another state since, the object is
  /// read again.
  virtual void wrote(const json::Value& object, registry::ResourceVersion since) = 0;
  /// The same for a deletion; `last` is the object's last state.
  virtual void wrote_gone(const json::Value& last, registry::ResourceVersion since) = 0;
  /// Closes all open watches and reopens them where they were, for callers that know that the API
  /// was unreachable: a connection whose other end is gone stays silent forever.
  virtual void listen_again() = 0;
};

/// Implements registry.h, except for what an API cannot provide:
/// - Each kind that is queried is listed and watched, in its own thread, until the mirror is
///   destroyed (decision 0576). If the server can start a watch with all existing objects, it is
///   not listed. A query without a kind covers the kinds followed so far. A kind that the API does
///   not serve (yet) has no objects.
/// - versions are those of the mirror; the versions in metadata are those of the API. `version()`
///   of another process has no meaning here.
/// - commit() performs the writes one by one: those before a failed one stay written. A write
///   that the API forbids is kUnavailable, with the reason, because permission may be granted at
///   any time.
/// - While the API is unreachable, reads and watches continue with the known state.
/// - Reads and watches show objects without metadata.managedFields. An update without them leaves
///   them as they are.
/// - If the API keeps only part of a status, because its CRD lacks fields, the status is shown as
///   written until another client writes it.
///
/// get, list: kUnavailable, with the reason, while a kind has not been listed yet; kInvalid,
/// Reason::kForbidden, if the caller may not list it. `api` must outlive the mirror.
std::unique_ptr<Mirror> make_mirror(Api& api, MirrorOptions options);

}  // namespace portico::cluster
