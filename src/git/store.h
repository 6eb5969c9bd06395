// Writing to a repository: many writers at once, one pack and one change of refs for all of them.
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
  Oid before, after;  // zero: the ref is not there
};

/// What one write sees while it is planned: the repository with the writes that share its batch and
/// were planned before it on top.
class Batch {
 public:
  virtual ~Batch() = default;
  /// Locks the ref until the batch is done and says what it holds; zero where there is none.
  virtual Result<Oid> lock(const std::string& ref) = 0;
  /// What the ref holds as far as this process knows, without locking it.
  virtual Oid value(const std::string& ref) const = 0;
  /// The ref must have been locked. Zero removes it.
  virtual Result<Done> set(const std::string& ref, const Oid& id) = 0;
  /// Removes a ref that nobody needs once the other changes of the plan are there: where only that
  /// fails (StoreOptions::push), the write is done and the ref stays.
  virtual Result<Done> drop(const std::string& ref) = 0;
  virtual Result<Object> read(const Oid& id) = 0;
  virtual Oid add(ObjectType type, std::string_view bytes) = 0;
  virtual void add(const Staging& objects) = 0;
};

/// Says what a write changes. An error undoes what this plan did and goes to its writer; the others
/// of the batch are not touched. It may be called again where the world moved meanwhile, and it is
/// called from another writer's thread: quick, and no locks.
using Plan = std::function<Result<Done>(Batch&)>;

struct StoreOptions {
  /// Brings the changes to where the repository is a mirror of, before its own refs change: all of
  /// them or none. kConflict: they moved there; then `catch_up` is called and the plans run again,
  /// a few times, with a wait between that grows (docs/decisions/0550).
  /// Called twice for a batch that brings something new and removes refs: the removals come last,
  /// and where they fail the new is there all the same (docs/decisions/0390).
  std::function<Result<Done>(std::span<const RefChange>)> push;
  std::function<Result<Done>()> catch_up;
  /// Nobody but Portico works in it: locks and temporary files of a git that was killed are
  /// removed.
  bool mirror = false;
  std::size_t batch_plans = 256;  // writes of one batch at most
  std::size_t packs = 48;         // packs from which on they are consolidated in the background
  int writer_lock_seconds = 60;   // patience with another process that writes
  /// As of ObjectDb::open.
  ObjectDb::OnDamage on_damage{};
  /// True: who waits for that process gives up with kUnavailable. May be empty.
  Stop stopped{};
  /// Waits for so long before another try; false: there is to be none. Empty: by the clock, until
  /// `stopped`.
  std::function<bool(std::chrono::milliseconds)> pause{};
  std::shared_ptr<Log> log;  // may be null
};

/// One repository on disk, read and written directly. Safe from any thread.
class Store {
 public:
  /// `folder` is a bare repository or a ".git" folder. What a dead writer left behind is cleaned
  /// up.
  static Result<std::unique_ptr<Store>> open(const std::string& folder, StoreOptions options = {});
  ~Store();

  const std::string& folder() const;
  const ObjectDb& objects() const;
  RefReader& refs();

  /// Blocks until the write is durable: pack and index first, refs last, all synced. Writers that
  /// come together share one pack and one change of refs. kConflict and other codes as the plan
  /// says; kUnavailable: another process holds a lock or the disk refuses.
  Result<Done> write(const Plan& plan);

  /// Runs `task` while no write runs, in this process or another of ours.
  Result<Done> exclusively(const std::function<Result<Done>()>& task);

  /// Removes what writers of ours left that were killed, where the last snapshot of refs() came by
  /// lock files and nobody of ours writes now. Locks of other git processes are theirs.
  void clear_locks_of_the_dead();

  /// Closes files and frees memory that the next use of it opens and fills again.
  void rest();

  /// Makes few packs of many now (git repack --geometric). Safe beside readers and writers.
  Result<Done> consolidate();

 private:
  class Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Removes the locks of refs that writers of ours left in a repository when they were killed; none
/// while one of ours writes there. Those of other git processes are theirs.
void clear_locks_of_the_dead(const std::string& folder);

/// Makes a bare repository with HEAD on `branch`: all of it or nothing, whatever happens meanwhile,
/// and durable. The folder is not there yet, or empty; kConflict where it holds one already.
Result<Done> init_bare(const std::string& folder, const std::string& branch);

}  // namespace portico::git
