// Git objects as values: parses and encodes trees, commits and tags. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/oid.h"

namespace portico::git {

/// The values are those of the pack format.
enum class ObjectType : std::uint8_t { kCommit = 1, kTree = 2, kBlob = 3, kTag = 4 };
const char* name(ObjectType type);  // "commit", ...

/// The bytes are the object's content, without the "<type> <size>" header.
struct Object {
  ObjectType type = ObjectType::kBlob;
  std::string bytes;
};

Oid object_id(ObjectType type, std::string_view bytes);

inline constexpr std::uint32_t kModeTree = 040000;
inline constexpr std::uint32_t kModeFile = 0100644;
inline constexpr std::uint32_t kModeExecutable = 0100755;
inline constexpr std::uint32_t kModeSymlink = 0120000;
inline constexpr std::uint32_t kModeSubmodule = 0160000;

struct TreeEntry {
  std::uint32_t mode = kModeFile;
  std::string name;
  Oid id;

  bool is_tree() const { return mode == kModeTree; }
  /// A file of any permission, not a symbolic link.
  bool is_file() const { return (mode & 0170000) == 0100000; }
  bool operator==(const TreeEntry&) const = default;
};

/// Entries in git's order. kInvalid if `bytes` is not a tree. Names are not validated.
Result<std::vector<TreeEntry>> parse_tree(std::string_view bytes);
/// Returns the entry called `name`, parsing no further than needed; kNotFound, or kInvalid.
Result<TreeEntry> find_in_tree(std::string_view bytes, std::string_view name);
/// A name whose entry differs between two trees. `before` is empty if the name was added, `after`
/// if it was removed.
struct TreeChange {
  std::optional<TreeEntry> before, after;
  const std::string& name() const { return before ? before->name : after->name; }
};
/// The differences, in git's order. A name that is a folder on only one side is reported twice.
Result<std::vector<TreeChange>> diff_trees(std::string_view before, std::string_view after);

/// Sorts as git does (a tree as if its name ended in '/'). The caller ensures valid, unique names.
std::string encode_tree(std::vector<TreeEntry> entries);

/// Name and time of an author or committer; `offset` is the time zone in minutes east of UTC.
struct Person {
  std::string name, email;
  std::chrono::sys_time<std::chrono::seconds> when{};
  int offset = 0;
};

struct Commit {
  Oid tree;
  std::vector<Oid> parents;
  Person author, committer;
  std::string message;
};

/// Ignores headers that are not needed (signatures, encoding). kInvalid if tree or committer is
/// missing. A malformed person or date is parsed as far as possible.
Result<Commit> parse_commit(std::string_view bytes);
/// Drops characters that cannot occur in a header ('<', '>', line ends, NUL) from the names.
std::string encode_commit(const Commit& commit);

/// Returns what an annotated tag points to; kInvalid if `bytes` is not a tag.
Result<Oid> parse_tag_target(std::string_view bytes);

}  // namespace portico::git
