// Reading objects of a git repository on disk.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "git/object.h"
#include "git/oid.h"

namespace portico::git {

/// The objects of one repository, loose and packed, with its alternates. Safe from any thread: each
/// call borrows a libgit2 handle of its own from a pool. Packs that appear later are found.
class ObjectDb {
 public:
  using OnDamage = std::function<void(const Error&)>;
  /// `folder` is a bare repository or a ".git" folder. kInvalid: no repository that can be read.
  /// `on_damage`, where given, is told of each damaged object that somebody wants to read, and of
  /// each pack that is damaged as a whole though what it has may be elsewhere, too; from any
  /// thread.
  static Result<std::unique_ptr<ObjectDb>> open(const std::string& folder, OnDamage on_damage = {});
  ~ObjectDb();

  /// kNotFound: no such object; kInvalid: it is larger than `limit` bytes; kUnavailable, for a
  /// person (Mend::kPerson): it is damaged.
  Result<Object> read(const Oid& id, std::size_t limit = std::size_t{1} << 30) const;
  /// As read, and kInvalid where the object has another type.
  Result<std::string> read(const Oid& id, ObjectType type,
                           std::size_t limit = std::size_t{1} << 30) const;
  /// The object whose id begins with `digits`, four to forty hexadecimal ones. kNotFound; kInvalid
  /// where several do.
  Result<Oid> find_by_prefix(std::string_view digits) const;
  /// Looks at the packs known so far only: false may mean "not yet seen".
  bool has(const Oid& id) const;

  /// After packs were removed: handles that still hold them are closed as they come back.
  void forget_handles();

 private:
  class Pool;
  explicit ObjectDb(std::unique_ptr<Pool> pool);
  std::unique_ptr<Pool> pool_;
};

/// Where objects are read from: a database, or one with objects on top that are not stored yet.
using ReadObject = std::function<Result<Object>(const Oid&)>;

Result<Commit> read_commit(const ReadObject& read, const Oid& id);
/// The commit that `id` leads to through annotated tags; kInvalid where it leads elsewhere.
Result<Oid> peel_to_commit(const ReadObject& read, const Oid& id);
/// The entry at `path` ("a/b/c") below a tree; kNotFound where there is none, also where a part of
/// the path is no folder; kInternal where a tree on the way is missing. An empty path is the tree
/// itself.
Result<TreeEntry> find_path(const ReadObject& read, const Oid& tree, std::string_view path);

}  // namespace portico::git
