// Git objects as values: what trees, commits and tags say, to bytes and back. Pure.
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

/// The numbers are those of the pack format.
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

/// Entries in git's order. kInvalid where `bytes` is no tree; names are not judged.
Result<std::vector<TreeEntry>> parse_tree(std::string_view bytes);
/// The entry called `name`, read without parsing more than is needed; kNotFound, or kInvalid.
Result<TreeEntry> find_in_tree(std::string_view bytes, std::string_view name);
/// One name that is not the same in two trees; one side is empty where the name is new or gone.
struct TreeChange {
  std::optional<TreeEntry> before, after;
  const std::string& name() const { return before ? before->name : after->name; }
};
/// What differs, in git's order. A name that is a folder on one side only comes twice.
Result<std::vector<TreeChange>> diff_trees(std::string_view before, std::string_view after);

/// Sorts as git does (a tree as if its name ended in '/'). The caller sees to valid, unique names.
std::string encode_tree(std::vector<TreeEntry> entries);

/// Who and when; `offset` is the zone, minutes east of UTC.
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

/// Headers that are not of interest (signatures, encoding) are passed over. kInvalid where tree or
/// committer are missing. A person or date that cannot be read is taken as far as it goes.
Result<Commit> parse_commit(std::string_view bytes);
/// Characters that cannot stand in a header ('<', '>', line ends, NUL) are left out of the names.
std::string encode_commit(const Commit& commit);

/// What an annotated tag points to; kInvalid where `bytes` is no tag.
Result<Oid> parse_tag_target(std::string_view bytes);

}  // namespace portico::git
