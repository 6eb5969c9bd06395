// The port to stored objects: what controllers, apiserver and cli read, write and watch.
// Implemented by the embedded store and by a client of a cluster's API server.
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
  kCreate,        // kConflict, Reason::kAlreadyExists, if it exists
  kUpdate,        // all but status; generation + 1 if anything but metadata changed
  kUpdateStatus,  // takes only status from the object
  kUpdateAll,     // kUpdate and kUpdateStatus in one: one event, one version
  kReplace,       // kUpdateAll for a kind whose status is an ordinary field: a changed status
                  // increments the generation, too
  kDelete,        // with finalizers: sets deletionTimestamp; without: removes the object
};

/// What a deletion does to the dependents of the deleted object (propagationPolicy).
enum class Propagation {
  kBackground,  // deletes them; a finalizer of another policy takes precedence
  kOrphan,      // keeps them, without this owner reference
  kForeground,  // deletes them first: the object remains, deleting and with the finalizer
                // foregroundDeletion, until those with blockOwnerDeletion are gone
};

/// A precondition on another object: it still exists with the same uid, or still does not exist.
struct Precondition {
  krm::ObjectKey key;
  std::string uid;  // the uid it must have; "": it must not exist
};

/// An update or delete whose object has a resourceVersion or uid fails with kConflict unless it
/// equals the stored one (compare-and-swap, preconditions); without one it is unconditional. A
/// write that changes nothing stores nothing and keeps the resourceVersion. Removing the last
/// finalizer of a deleting object removes the object.
struct Write {
  Verb verb = Verb::kUpdate;
  json::Value object;  // kDelete needs only apiVersion, kind, metadata.name, namespace (and
                       // optionally resourceVersion, uid)
  Propagation propagation = Propagation::kBackground;  // for kDelete only
  std::optional<Precondition> only{};  // else kConflict; over an API checked before, not atomically
};

/// One requirement on a field that is declared for the kind (see IndexedField).
struct FieldRequirement {
  std::string name, value;
  bool equal = true;  // false: any value but this one; matches objects without the field, too
  bool operator==(const FieldRequirement&) const = default;
};

/// The objects that meet every given condition. The default selects all objects.
struct Query {
  krm::GroupKind type{};                   // no kind: every kind
  std::string ns{};                        // "": every namespace
  krm::LabelSelector labels{};             // default: all
  std::optional<std::string> owner{};      // uid in ownerReferences
  std::vector<FieldRequirement> fields{};  // require a kind
  std::string name{};                      // "": every name

  // For lists only. All pages of a list show the store at one version.
  std::size_t limit = 0;                     // objects per page; 0: all in one page
  std::string continue_from{};               // "" or Listing::next of the previous page
  std::optional<ResourceVersion> version{};  // default: the newest, or that of the previous page
};

struct Listing {
  std::vector<json::Value> objects;  // sorted by kind, namespace, name
  ResourceVersion version = 0;       // the state of the store that was read
  std::string next{};  // Query::continue_from for the next page; "": this was the last
  /// How many objects come after this page. Set only if there are any and the query has no labels,
  /// owner, fields or name.
  std::optional<std::size_t> remaining{};
};

enum class Change { kAdded, kModified, kDeleted };
struct Event {
  Change change = Change::kAdded;
  json::Value object;    // for kDeleted the last state, with the version of the deletion
  json::Value previous;  // null for kAdded
  ResourceVersion version = 0;
};

/// An ordered, gapless stream of the events that match a query. If the query has labels, an owner
/// or fields, an object that begins to match is reported as added, and one that stops matching as
/// deleted, in its last matching state and with the version of the change (Selector::see). next()
/// and stop() are thread-safe; only one thread at a time may call next().
class Watch {
 public:
  virtual ~Watch() = default;  // on_ready is not called after it returns
  /// Blocks until there are events; returns none when the wait is over or the watch is stopped.
  /// kNotFound, Reason::kExpired ("410 Gone"), if events that may match are no longer kept, or the
  /// watch began ahead of the store: list again. A watch does not expire while no event matches,
  /// unless more events than are kept are published at once.
  virtual Result<std::vector<Event>> next(std::chrono::milliseconds wait) = 0;
  /// Every matching event up to this version has been returned: the version of a bookmark, from
  /// which another watch can continue.
  virtual ResourceVersion version() const = 0;
  virtual void stop() = 0;
};

/// Called once after next() returned no events, when there are events again or the registry closes,
/// on the thread that writes or closes it, so that no thread has to block in next(). May only
/// signal or enqueue: it must not throw, block, or call the watch or the registry.
using OnReady = std::function<void()>;

/// Thread-safe. Returned objects are immutable and shared.
class Registry {
 public:
  virtual ~Registry() = default;

  virtual Result<json::Value> get(const krm::ObjectKey& key) const = 0;  // kNotFound
  /// kInvalid if the query names a field that is not declared for its kind, or continue_from is not
  /// a continue token; kNotFound, Reason::kExpired, if its version is ahead of the store or no
  /// longer kept (the versions kept are those a watch can begin from).
  virtual Result<Listing> list(const Query& query) const = 0;
  /// The fields that queries can name, as declared.
  virtual const std::vector<IndexedField>& fields() const = 0;
  /// The kinds that have objects, sorted.
  virtual std::vector<krm::GroupKind> kinds() const = 0;

  /// All or nothing; durable when it returns. Fills in the metadata (uid, creationTimestamp,
  /// generation, resourceVersion). Returns the objects as stored, in the order of the writes; a
  /// deleted one in its last state. The outermost place of an error is the object's key.
  virtual Result<std::vector<json::Value>> commit(const std::vector<Write>& writes) = 0;

  /// What commit() would return now, without storing it. The resourceVersions are the stored ones,
  /// so an object that would be created has none.
  virtual Result<std::vector<json::Value>> dry_run(const std::vector<Write>& writes) const = 0;

  /// Applies each write on its own (not all or nothing), but makes them durable together: for bulk
  /// work.
  virtual std::vector<Result<json::Value>> commit_each(const std::vector<Write>& writes) = 0;

  /// The events after `from` that match the query. If list() would reject the query, the watch's
  /// next() returns that error.
  virtual std::unique_ptr<Watch> watch(const Query& query, ResourceVersion from,
                                       OnReady on_ready) = 0;
  std::unique_ptr<Watch> watch(const Query& query, ResourceVersion from) {
    return watch(query, from, OnReady());
  }
  virtual ResourceVersion version() const = 0;

  /// An independent in-memory Registry with the current contents and the same rules. Its writes are
  /// discarded with it and do not affect this one.
  virtual Result<std::unique_ptr<Registry>> fork() const = 0;
};

}  // namespace portico::registry
