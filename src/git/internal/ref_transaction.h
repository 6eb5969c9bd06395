// Changing refs on disk: locks that git respects, and one step in which all changes happen.
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

/// Held by the one process that writes to a repository for us. The kernel lets go of it when the
/// process ends, so a lock file of ours that is found while holding it is a dead writer's.
class WriterLock {
 public:
  /// Waits for up to `seconds`, or until `stopped`; then kUnavailable.
  static Result<WriterLock> take(const std::string& folder, int seconds, const Stop& stopped = {});
  WriterLock(WriterLock&&) = default;
  WriterLock& operator=(WriterLock&&) = default;
  ~WriterLock();

 private:
  explicit WriterLock(Fd file) : file_(std::move(file)) {}
  Fd file_;
};

/// What our lock files and .keep files say, so that they can be told from those of git.
inline constexpr std::string_view kOurMark = "portico\n";

/// Makes the file `path` of the repository `folder`, with our mark, unless it is there: false, with
/// the reason in errno. It has its mark from its first moment on, for a writer can be killed at
/// any: it is a link to the file of the WriterLock, which must be held. After a power cut that file
/// may be empty, and all its links with it, until the next WriterLock gives them back their mark.
bool make_marked_file(const std::string& folder, const std::string& path);

/// Removes lock files that a dead writer of ours left. The WriterLock must be held.
void clean_ref_locks(const std::string& folder);

/// Removes those that git left, too: of a mirror, where git only works for who holds the
/// WriterLock. Whether there were any.
bool clean_all_locks(const std::string& folder);

/// Refs are locked one by one and changed all at once. One thread; the WriterLock must be held.
/// What is not committed is given up by the destructor.
class RefTransaction {
 public:
  /// `snapshot` of `reader` is for telling which new names cannot stand beside old ones.
  RefTransaction(std::string folder, RefReader& reader,
                 std::shared_ptr<const RefSnapshot> snapshot);
  ~RefTransaction();
  RefTransaction(const RefTransaction&) = delete;
  RefTransaction& operator=(const RefTransaction&) = delete;

  /// Locks the ref against other git processes and says what it holds, set() included; zero where
  /// there is none. kUnavailable: somebody else holds the lock, refused() where that takes longer
  /// than two seconds, those included for which locks before were waited for. A ref whose folder
  /// does not exist is not locked, for making and removing folders costs more than all the rest;
  /// commit() looks instead whether one came to be (docs/decisions/0042).
  Result<Oid> lock(const std::string& name);
  /// As lock() says, or as the snapshot does for a ref that is not locked.
  Oid value(const std::string& name) const;
  /// A locked ref gets a new value; zero removes it. kInvalid where another ref's name has this one
  /// as a folder or the other way round.
  Result<Done> set(const std::string& name, const Oid& id);

  struct Change {
    std::string name;
    Oid before, after;
  };
  /// What would change now, by name.
  std::vector<Change> changes() const;

  /// Undoes every set() since the mark.
  std::size_t mark() const { return log_.size(); }
  void rewind(std::size_t mark);
  /// The refs that were set from one mark to another, in that order.
  std::vector<std::string> set_between(std::size_t from, std::size_t to) const;

  /// All changes at once, durable: a crash leaves all or none of them. `read` is for telling
  /// annotated tags. kConflict: another git process came between; nothing was changed.
  Result<Done> commit(const ReadObject& read);
  /// Lets go of all locks.
  void release();

 private:
  struct Held {
    Oid before, now;
    bool loose = false;   // there is a file of that name
    bool locked = false;  // by a lock file; else there was no folder to put it in
  };
  Result<Done> check_names(const std::string& name) const;
  Result<Done> check_unlocked() const;
  std::string folder_of(const std::string& name) const;

  std::string folder_;
  RefReader& reader_;
  std::shared_ptr<const RefSnapshot> snapshot_;
  std::map<std::string, Held, std::less<>> held_;
  std::vector<std::pair<std::string, Oid>> log_;  // what set() replaced
  std::chrono::steady_clock::duration patience_;  // with locks of others
};

}  // namespace portico::git
