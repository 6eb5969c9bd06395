// What the refs of a repository say at one moment.
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
  Oid id;            // what the ref holds: for an annotated tag the tag object
  bool operator==(const Ref&) const = default;
};

/// All refs below "refs/", sorted by the bytes of their names. Symbolic refs are resolved; one that
/// leads nowhere is left out, as is a file that holds no object id.
struct RefSnapshot {
  std::vector<Ref> refs;

  /// nullptr where there is none.
  const Ref* find(std::string_view name) const;
  /// The refs whose names start with `prefix`, as positions [first, last).
  std::pair<std::size_t, std::size_t> range(std::string_view prefix) const;
};

/// The refs of one repository. Safe from any thread.
class RefReader {
 public:
  explicit RefReader(std::string folder);
  ~RefReader();

  /// Reads the loose refs and, where it was replaced, the file packed-refs. Hands out the same
  /// object as before where nothing changed. kUnavailable where the repository is gone: moved away,
  /// or unmounted.
  Result<std::shared_ptr<const RefSnapshot>> snapshot();

  /// Closes files and forgets what was read; the next snapshot is another object.
  void rest();

  /// Whether the last snapshot came by lock files: of somebody at work, or of the dead.
  bool saw_locks() const;

  /// What packed-refs says of one ref now, whatever a loose ref says; zero where it has none.
  Result<Oid> packed_value(std::string_view name);

  /// The branch that HEAD names ("refs/heads/main"), or "" where it names a commit.
  Result<std::string> head_branch() const;

 private:
  struct State;
  std::string folder_;
  std::unique_ptr<State> state_;
};

}  // namespace portico::git
