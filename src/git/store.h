// Writes to a repository: concurrent writers share one pack and one ref transaction.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "base/stop.h"
#include "git/object_db.h"
#include "git/refs.h"
#include "git/staging.h"

namespace portico::git {

struct RefChange {
  std::string name;
  Oid before, after;  // zero: the ref does not exist
};

/// The view of one write while it is planned: the repository plus the writes that were planned
/// before it in the same batch.
class Batch {
 public:
  virtual ~Batch() = default;
  /// Locks the ref until the batch is done and returns its value; zero if it does not exist.
  virtual Result<Oid> lock(const std::string& ref) = 0;
  /// The value of the ref as far as this process knows, without locking it.
  virtual Oid value(const std::string& ref) const = 0;
  /// The ref must be locked. Zero removes it.
  virtual Result<Done> set(const std::string& ref, const Oid& id) = 0;
  /// Removes a ref that is unneeded once the other changes of the plan are made: if only this
  /// removal fails (StoreOptions::push), the write succeeds and the ref stays.
  virtual Result<Done> drop(const std::string& ref) = 0;
  virtual Result<Object> read(const Oid& id) = 0;
  virtual Oid add(ObjectType type, std::string_view bytes) = 0;
  virtual void add(const Staging& objects) = 0;
};

/// Plans what a write changes. An error undoes this plan and is returned to its writer; the rest of
/// the batch is not affected. A plan may run again if refs moved meanwhile, and it runs in another
/// writer's thread: it must be quick and take no locks.
using Plan = std::function<Result<Done>(Batch&)>;

struct StoreOptions {
  /// Pushes the changes to the remote that this repository mirrors, all of them or none, before its
  /// own refs change. kConflict: refs moved there; then `catch_up` is called and the plans run
  /// again, a few times, with growing waits in between (docs/decisions/0550). Called twice for a
  /// batch that both adds new objects and removes refs: the removals come last, and if they fail
  /// the first push still stands (docs/decisions/0390).
  std::function<Result<Done>(std::span<const RefChange>)> push;
  std::function<Result<Done>()> catch_up;
  /// Only Portico writes to the repository: locks and temporary files of a killed git are removed.
  bool mirror = false;
  std::size_t batch_plans = 256;  // most writes in one batch
  std::size_t packs = 48;         // number of packs at which background consolidation starts
  int writer_lock_seconds = 60;   // how long to wait for another writing process
  /// As for ObjectDb::open.
  ObjectDb::OnDamage on_damage{};
  /// True: a write that waits for another process gives up with kUnavailable. May be empty.
  Stop stopped{};
  /// Waits this long before the next try; returns false to give up. Empty: waits by the clock,
  /// until `stopped`.
  std::function<bool(std::chrono::milliseconds)> pause{};
  std::shared_ptr<Log> log;  // may be null
};

/// One repository on disk, read and written directly. Thread-safe.
class Store {
 public:
  /// `folder` is a bare repository or a ".git" folder. Cleans up after dead writers.
  static Result<std::unique_ptr<Store>> open(const std::string& folder, StoreOptions options = {});
  ~Store();

  const std::string& folder() const;
  const ObjectDb& objects() const;
  RefReader& refs();

  /// Blocks until the write is durable: pack and index first, refs last, all synced. Concurrent
  /// writers share one pack and one ref transaction. kConflict and other codes are those of the
  /// plan; kUnavailable: another process holds a lock, or the disk refuses the write.
  Result<Done> write(const Plan& plan);

  /// Runs `task` while no write runs, in this or another Portico process.
  Result<Done> exclusively(const std::function<Result<Done>()>& task);

  /// Removes what killed Portico writers left behind, if the last snapshot of refs() found lock
  /// files and no Portico process is writing. Locks of other git processes are kept.
  void clear_locks_of_the_dead();

  /// Closes files and frees memory; the next use opens and fills them again.
  void rest();

  /// Repacks many packs into few (git repack --geometric). Safe alongside readers and writers.
  Result<Done> consolidate();

 private:
  class Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Removes ref locks that killed Portico writers left in a repository, unless a Portico process is
/// writing there. Locks of other git processes are kept.
void clear_locks_of_the_dead(const std::string& folder);

/// Creates a bare repository with HEAD on `branch`, atomically and durably. The folder must be
/// missing or empty; kConflict if it already holds a repository. Waits up to `patience`, or until
/// `stopped`, while another process creates one beside it; then kUnavailable.
Result<Done> init_bare(const std::string& folder, const std::string& branch,
                       const Stop& stopped = {},
                       std::chrono::seconds patience = std::chrono::seconds(60));

}  // namespace portico::git
