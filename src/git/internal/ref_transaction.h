// Changes refs on disk atomically, with locks that git respects.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "git/internal/file.h"
#include "git/object_db.h"
#include "git/refs.h"

namespace portico::git {

/// Held by the one Portico process that writes to a repository. The kernel releases it when the
/// process ends, so a Portico lock file found while holding it belongs to a dead writer.
class WriterLock {
 public:
  /// Waits up to `seconds`, or until `stopped`; then kUnavailable.
  static Result<WriterLock> take(const std::string& folder, int seconds, const Stop& stopped = {});
  WriterLock(WriterLock&&) = default;
  WriterLock& operator=(WriterLock&&) = default;
  ~WriterLock();

 private:
  explicit WriterLock(Fd file) : file_(std::move(file)) {}
  Fd file_;
};

/// Content of Portico's lock files and .keep files, to tell them from git's.
inline constexpr std::string_view kOurMark = "portico\n";

/// Creates the file `path` in the repository `folder`, with our mark, unless it exists: then
/// returns false with the reason in errno. The file carries the mark from the moment it exists,
/// because a writer can be killed at any time: it is a hard link to the WriterLock's file, whose
/// lock must be held. After a power cut that file and all its links may be empty until the next
/// WriterLock restores the mark.
bool make_marked_file(const std::string& folder, const std::string& path);

/// Removes lock files that a dead Portico writer left. The WriterLock must be held.
void clean_ref_locks(const std::string& folder);

/// Also removes lock files that git left. Only for mirrors, where git runs only under the
/// WriterLock. Returns whether any were removed.
bool clean_all_locks(const std::string& folder);

/// Locks refs one by one and changes all of them at once. Not thread-safe; the WriterLock must be
/// held. The destructor discards uncommitted changes.
class RefTransaction {
 public:
  /// `snapshot` of `reader` is used to find new names that conflict with existing ones.
  RefTransaction(std::string folder, RefReader& reader,
                 std::shared_ptr<const RefSnapshot> snapshot);
  ~RefTransaction();
  RefTransaction(const RefTransaction&) = delete;
  RefTransaction& operator=(const RefTransaction&) = delete;

  /// Locks the ref against other git processes and returns its value, including changes by set();
  /// zero if it does not exist. kUnavailable: another process holds the lock; refused() if it does
  /// so for more than two seconds, counting the waits for earlier locks. A ref whose folder does
  /// not exist is not locked, because making and removing folders costs more than everything else;
  /// commit() checks instead whether the folder has appeared (docs/decisions/0042).
  Result<Oid> lock(const std::string& name);
  /// The value that lock() returns, or that of the snapshot if the ref is not locked.
  Oid value(const std::string& name) const;
  /// Sets a locked ref to a new value; zero removes it. kInvalid if the name is a folder of another
  /// ref's name or the other way round.
  Result<Done> set(const std::string& name, const Oid& id);

  struct Change {
    std::string name;
    Oid before, after;
  };
  /// The pending changes, by name.
  std::vector<Change> changes() const;

  /// Undoes every set() since the mark.
  std::size_t mark() const { return log_.size(); }
  void rewind(std::size_t mark);
  /// The refs that were set between two marks, in that order.
  std::vector<std::string> set_between(std::size_t from, std::size_t to) const;

  /// Applies all changes at once, durably: a crash leaves all or none of them. `read` is used to
  /// recognize annotated tags. kConflict: another git process interfered; nothing was changed.
  Result<Done> commit(const ReadObject& read);
  /// Releases all locks.
  void release();

 private:
  struct Held {
    Oid before, now;
    bool loose = false;   // has a file of its own
    bool locked = false;  // by a lock file; false: there was no folder to put it in
  };
  Result<Done> check_names(const std::string& name) const;
  Result<Done> check_unlocked() const;
  std::string folder_of(const std::string& name) const;

  std::string folder_;
  RefReader& reader_;
  std::shared_ptr<const RefSnapshot> snapshot_;
  std::map<std::string, Held, std::less<>> held_;
  std::vector<std::pair<std::string, Oid>> log_;  // what set() replaced
  std::chrono::steady_clock::duration patience_;  // left for locks of other processes
};

}  // namespace portico::git
