// The Registry that needs no other server: objects in memory, SQLite as the durable log.
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
  kPower,    // an acknowledged write survives a power cut: one fsync a group of writes
  kProcess,  // it survives the death of the process, and of the machine but for the last moments
};

/// How a process waits for its turn on a folder that another one has.
struct Turn {
  std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max();
  /// Told once, after a second: the process id of who has it.
  std::function<void(const std::string& holder)> waiting{};
  /// Asked when something new is in the folder; true ends the wait (kConflict). May be empty.
  std::function<bool()> give_way{};
};

struct EmbeddedOptions {
  /// Holds store.db (with SQLite's -wal beside it) and store.lock; made where missing. Empty: all
  /// in memory, gone with the Registry.
  std::filesystem::path folder{};
  /// None: kUnavailable at once where another process has the folder.
  std::optional<Turn> turn{};
  Durability durability = Durability::kPower;
  /// Borrowed; must outlive the Registry. Null: the machine's clock.
  const Clock* clock = nullptr;
  /// Random bits for uids and generated names, called by one thread at a time; a fork has a copy.
  /// Empty: the system's.
  std::function<std::uint64_t()> random{};
  /// Events that can still be watched; older ones are compacted away.
  std::size_t watch_window = 16384;
  /// The largest object, as printed JSON.
  std::size_t object_bytes = 8u << 20;
  /// Objects may have owners that are somewhere else, in the cluster that passes requests on: what
  /// was never here is no reason to delete what it owns.
  bool owners_elsewhere = false;
  std::vector<registry::IndexedField> indexes{};
  /// Encrypts what is stored of the kinds that it hides; null: nothing is. Objects that are there
  /// in plain text, or with an older key, are encrypted anew when the store is opened.
  std::shared_ptr<const Cipher> cipher{};
  /// Whether an object whose key is not there is kept without its content (annotation
  /// portico.dev/content-lost). Without it such a store is not opened.
  bool forget_lost = false;
};

/// Opens the store, or makes a new one. Errors: kUnavailable where another process holds the folder
/// (its pid is named) until the turn's time is over, or the disk fails; kInvalid where store.db is
/// damaged, no store, or of a later layout (nothing in it is touched then), and where keys of
/// encrypted objects are not there.
///
/// One thread writes: it commits, in one transaction, all writes that came while the last one
/// committed. A write is seen by get, list and watch when it is durable, never before. After an
/// error of the disk (kUnavailable) nothing of the group is stored and later writes may try again.
///
/// The garbage of owner references is collected with the write that makes it, in the same
/// transaction: an object none of whose owners exist is deleted (its finalizers are respected); of
/// one that has other owners only the dead references go. An owner exists where an object with its
/// uid is in the same namespace, or in none (with `owners_elsewhere` also where there never was
/// one). The other propagations are done in the same way, as
/// far as finalizers let them.
///
/// Destroying the Registry finishes the writes under way and ends its watches, which may outlive
/// it.
Result<std::unique_ptr<registry::Registry>> open_embedded(EmbeddedOptions options);

/// A Registry in memory that begins as the folder's store is at this moment, beside a process that
/// has it: nobody waits for the other. Empty where there is no store.
Result<std::unique_ptr<registry::Registry>> open_snapshot(EmbeddedOptions options);

/// Whether the process that had the folder last did not come to its end: what it held elsewhere may
/// have to be let go. False while a process has the folder; true until the next one has it.
bool was_killed(const std::filesystem::path& folder);

/// A Registry in memory, whatever the folder of `options`, that begins with these objects as they
/// are, uids and resourceVersions included, and at `version`, which none of theirs is later than.
Result<std::unique_ptr<registry::Registry>> open_in_memory(EmbeddedOptions options,
                                                           const std::vector<json::Value>& objects,
                                                           registry::ResourceVersion version);

}  // namespace portico::store
