// A Registry without a server: objects in memory, SQLite as the durable log.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "registry/indexed_field.h"
#include "registry/registry.h"
#include "store/cipher.h"

namespace portico::store {

enum class Durability {
  kPower,    // an acknowledged write survives a power failure: one fsync per group of writes
  kProcess,  // it survives the end of the process; a crash of the machine may lose the last moments
};

/// How a process waits for a folder that another one holds.
struct Turn {
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  /// Called once, after a second, with the process id of the holder.
  std::function<void(const std::string& holder)> waiting{};
  /// Polled when files appear in the folder; true ends the wait (kConflict). May be empty.
  std::function<bool()> give_way{};
};

struct EmbeddedOptions {
  /// Holds store.db (with SQLite's -wal file) and store.lock; created if missing. Empty: in memory
  /// only, discarded with the Registry.
  std::filesystem::path folder{};
  /// Nullopt: kUnavailable at once if another process holds the folder.
  std::optional<Turn> turn{};
  Durability durability = Durability::kPower;
  /// Borrowed; must outlive the Registry. Null: the system clock.
  const Clock* clock = nullptr;
  /// Random bits for uids and generated names, called by one thread at a time; a fork has its own
  /// copy. Empty: the system's.
  std::function<std::uint64_t()> random{};
  /// Number of events that watches can still start from; older ones are compacted.
  std::size_t watch_window = 16384;
  /// The largest object, as printed JSON.
  std::size_t object_bytes = 8u << 20;
  /// Owners may be stored elsewhere, in the cluster that forwards requests: an owner that was never
  /// here does not count as missing, so its dependents are kept.
  bool owners_elsewhere = false;
  std::vector<registry::IndexedField> indexes{};
  /// Encrypts stored objects of the kinds that it hides; null: none. Objects stored in plain text
  /// or with an older key are re-encrypted when the store is opened.
  std::shared_ptr<const Cipher> cipher{};
  /// Whether an object whose key is missing is kept without its content (annotation
  /// portico.dev/content-lost). Otherwise such a store is not opened.
  bool forget_lost = false;
};

/// Opens the store, or creates one. Errors: kUnavailable if another process holds the folder (named
/// by its pid) until the turn's time is over, or if the disk fails; kInvalid if store.db is
/// damaged, is not a store, or has a later layout (it is then left untouched), or if keys of
/// encrypted objects are missing.
///
/// One thread writes: each transaction commits all writes that arrived during the previous one.
/// get, list and watch show a write once it is durable, never before. After a disk error
/// (kUnavailable) nothing of the group is stored, and later writes try again.
///
/// Garbage collection of owner references happens in the transaction of the write that causes it:
/// an object whose owners are all gone is deleted (respecting finalizers); an object with other
/// owners only loses the dangling references. An owner exists if an object with its uid is in the
/// same namespace or is cluster-scoped (with `owners_elsewhere` also if it was never here). The
/// other propagation policies work the same way, as far as finalizers allow.
///
/// Destroying the Registry finishes pending writes and ends its watches, which may outlive it.
Result<std::unique_ptr<registry::Registry>> open_embedded(EmbeddedOptions options);

/// An in-memory Registry with the current contents of the folder's store, without blocking the
/// process that holds it or being blocked. Empty if there is no store.
Result<std::unique_ptr<registry::Registry>> open_snapshot(EmbeddedOptions options);

/// Whether the last process that held the folder was killed, so that locks it held elsewhere may
/// have to be released. False while a process holds the folder; stays true until the next one takes
/// it.
bool was_killed(const std::filesystem::path& folder);

/// An in-memory Registry (ignores the folder in `options`) with these objects unchanged, including
/// uids and resourceVersions. Begins at `version`, which no object's may exceed.
Result<std::unique_ptr<registry::Registry>> open_in_memory(EmbeddedOptions options,
                                                           const std::vector<json::Value>& objects,
                                                           registry::ResourceVersion version);

}  // namespace portico::store
