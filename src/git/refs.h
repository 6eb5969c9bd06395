// Reads the refs of a repository as snapshots.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/oid.h"

namespace portico::git {

struct Ref {
  std::string name;  // full: "refs/heads/main"
  Oid id;            // the value of the ref: for an annotated tag, the tag object
  bool operator==(const Ref&) const = default;
};

/// All refs below "refs/", sorted bytewise by name. Symbolic refs are resolved. Dangling symbolic
/// refs and files without an object id are left out.
struct RefSnapshot {
  std::vector<Ref> refs;

  /// nullptr if there is no such ref.
  const Ref* find(std::string_view name) const;
  /// The refs whose names start with `prefix`, as the index range [first, last).
  std::pair<std::size_t, std::size_t> range(std::string_view prefix) const;
};

/// Reads the refs of one repository. Thread-safe.
class RefReader {
 public:
  explicit RefReader(std::string folder);
  ~RefReader();

  /// Reads the loose refs, and packed-refs if that file was replaced. Returns the same object as
  /// before if nothing changed. kUnavailable if the repository no longer exists: it was moved away
  /// or unmounted.
  Result<std::shared_ptr<const RefSnapshot>> snapshot();

  /// Closes files and drops cached data; the next snapshot is a new object.
  void rest();

  /// Whether the last snapshot found lock files, of an active or a dead writer.
  bool saw_locks() const;

  /// The current value of a ref in packed-refs, ignoring any loose ref; zero if it is not there.
  Result<Oid> packed_value(std::string_view name);

  /// The branch that HEAD refers to ("refs/heads/main"), or "" if HEAD is detached.
  Result<std::string> head_branch() const;

 private:
  struct State;
  std::string folder_;
  std::unique_ptr<State> state_;
};

}  // namespace portico::git
