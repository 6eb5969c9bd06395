// The port to stored objects: what controllers, apiserver and cli read, write and watch. The
// embedded store implements it; a cluster's API server can stand in.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/indexed_field.h"

namespace portico::registry {

using ResourceVersion = std::uint64_t;

enum class Verb {
  kCreate,        // kConflict, Reason::kAlreadyExists, where it exists
  kUpdate,        // all but status; generation + 1 where anything but metadata changed
  kUpdateStatus,  // only status (and nothing else) is taken from the object
  kUpdateAll,     // kUpdate and kUpdateStatus in one: one event, one version
  kReplace,       // kUpdateAll of a kind whose status is a field as any other: it counts for the
                  // generation, too
  kDelete,        // with finalizers: sets deletionTimestamp; without: gone
};

/// What a deletion does to the objects that name the deleted one as owner (propagationPolicy).
enum class Propagation {
  kBackground,  // they go with it; an object with the finalizer of one of the others: as that says
  kOrphan,      // they stay, without that owner
  kForeground,  // they go first: it stays, deleting and with the finalizer foregroundDeletion,
                // until those that have blockOwnerDeletion are gone
};

/// What a write rests on besides its own object: that another one is still the same.
struct Only {
  krm::ObjectKey key;
  std::string uid;  // which it has; "": there is no such object
};

/// An update or delete whose object names a resourceVersion or uid is refused with kConflict unless
/// that is the stored one (compare and swap, preconditions); without one it always goes through. A
/// write that changes nothing writes nothing and keeps the resourceVersion. Removing the last
/// finalizer of a deleting object removes the object.
struct Write {
  Verb verb = Verb::kUpdate;
  json::Value object;  // for kDelete apiVersion, kind, metadata.name, namespace (and
                       // resourceVersion, uid) suffice
  Propagation propagation = Propagation::kBackground;  // of a kDelete
  std::optional<Only> only{};  // kConflict where that does not hold; over an API looked at before
};

/// One requirement on a field that is declared for the kind (see IndexedField).
struct FieldRequirement {
  std::string name, value;
  bool equal = true;  // false: all but that value, objects without the field included
  bool operator==(const FieldRequirement&) const = default;
};

/// Which objects: those for which all that is given holds. The default is every object.
struct Query {
  krm::GroupKind type{};                   // no kind: every kind
  std::string ns{};                        // "": every namespace
  krm::LabelSelector labels{};             // default: all
  std::optional<std::string> owner{};      // uid in ownerReferences
  std::vector<FieldRequirement> fields{};  // need a kind
  std::string name{};                      // "": every name

  // Of a list only. All its pages show the store at one version.
  std::size_t limit = 0;                     // objects on a page; 0: all, in one page
  std::string continue_from{};               // Listing::next of the page before; "": from the start
  std::optional<ResourceVersion> version{};  // default: the newest, or that of the page before
};

struct Listing {
  std::vector<json::Value> objects;  // by kind, namespace, name
  ResourceVersion version = 0;       // the state of the store that was read
  std::string next{};  // Query::continue_from for the next page; "": this was the last
  /// How many objects come after this page; only where one comes, and where the query has neither
  /// labels, owner, fields nor name.
  std::optional<std::size_t> remaining{};
};

enum class Change { kAdded, kModified, kDeleted };
struct Event {
  Change change = Change::kAdded;
  json::Value object;    // for kDeleted the last state, with the version of the deletion
  json::Value previous;  // null for kAdded
  ResourceVersion version = 0;
};

/// An ordered, gapless stream of the events that a query is about. Where it has labels, an owner or
/// fields, an object that comes to meet them is added, and one that no longer does is deleted, in
/// its last state that did and with the version of the change (Selector::see). next() and stop()
/// are safe from any thread; one thread at a time calls next().
class Watch {
 public:
  virtual ~Watch() = default;  // on_ready is not called any more when it returns
  /// Blocks until there are events, the wait is over (empty) or the watch is stopped (empty).
  /// kNotFound, Reason::kExpired, where events that may concern it are no longer kept, or it began
  /// ahead of the store ("410 Gone"): list again. Where nothing concerns it, it does not expire.
  virtual Result<std::vector<Event>> next(std::chrono::milliseconds wait) = 0;
  /// Every event up to this version has been handed out, or is none of the query's: what a bookmark
  /// says, and where another watch can go on.
  virtual ResourceVersion version() const = 0;
  virtual void stop() = 0;
};

/// Called once after next() had nothing to hand out, when there is something again or the registry
/// ends, from whatever thread writes: so that nobody needs a thread to wait in. It may only take
/// note (enqueue, signal): never throw, block, or call the watch or the registry.
using OnReady = std::function<void()>;

/// Safe from any thread. Objects handed out are immutable and shared.
class Registry {
 public:
  virtual ~Registry() = default;

  virtual Result<json::Value> get(const krm::ObjectKey& key) const = 0;  // kNotFound
  /// kInvalid where the query names a field that is not declared for its kind, or goes on from
  /// what is no continue token; kNotFound, Reason::kExpired, where its version is no longer kept
  /// (those are that can be watched from) or ahead of the store.
  virtual Result<Listing> list(const Query& query) const = 0;
  /// The fields that queries can name, as they were declared.
  virtual const std::vector<IndexedField>& fields() const = 0;
  /// The kinds of which there is an object, sorted.
  virtual std::vector<krm::GroupKind> kinds() const = 0;

  /// All or nothing, durable when it returns: metadata filled in (uid, creationTimestamp,
  /// generation, resourceVersion). The objects as stored, in order of the writes; a deleted one in
  /// its last state. The error's outermost place is the object's key.
  virtual Result<std::vector<json::Value>> commit(const std::vector<Write>& writes) = 0;

  /// What commit() would hand back now; nothing is stored. The resourceVersions are those that are
  /// stored, so what would be created has none.
  virtual Result<std::vector<json::Value>> dry_run(const std::vector<Write>& writes) const = 0;

  /// Each write on its own (no all-or-nothing), but made durable together: for bulk work.
  virtual std::vector<Result<json::Value>> commit_each(const std::vector<Write>& writes) = 0;

  /// Events after `from` of the objects that the query is about. A query that list() would refuse
  /// is refused by the watch's next().
  virtual std::unique_ptr<Watch> watch(const Query& query, ResourceVersion from,
                                       OnReady on_ready) = 0;
  std::unique_ptr<Watch> watch(const Query& query, ResourceVersion from) {
    return watch(query, from, OnReady());
  }
  virtual ResourceVersion version() const = 0;

  /// A Registry of its own that begins as this one is now, in memory: what is written to it is gone
  /// with it, and this one knows nothing of it. Its rules are the same.
  virtual Result<std::unique_ptr<Registry>> fork() const = 0;
};

}  // namespace portico::registry
