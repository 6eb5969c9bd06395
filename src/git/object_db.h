// Reads objects of a git repository on disk.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "git/object.h"
#include "git/oid.h"

namespace portico::git {

/// The objects of one repository, loose and packed, including those of its alternates. Thread-safe:
/// each call borrows its own libgit2 handle from a pool. Packs that appear later are found.
class ObjectDb {
 public:
  using OnDamage = std::function<void(const Error&)>;
  /// `folder` is a bare repository or a ".git" folder. kInvalid: not a readable repository.
  /// `on_damage`, if given, is called for each damaged object that is read, and for each damaged
  /// pack even if its objects can be read from elsewhere. It may be called from any thread.
  static Result<std::unique_ptr<ObjectDb>> open(const std::string& folder, OnDamage on_damage = {});
  ~ObjectDb();

  /// kNotFound: no such object; kInvalid: it is larger than `limit` bytes; kUnavailable that needs
  /// an operator (Remedy::kOperator): it is damaged.
  Result<Object> read(const Oid& id, std::size_t limit = std::size_t{1} << 30) const;
  /// Like read() above, but returns the content; also kInvalid if the object has another type.
  Result<std::string> read(const Oid& id, ObjectType type,
                           std::size_t limit = std::size_t{1} << 30) const;
  /// The object whose id begins with `digits`, four to forty hexadecimal digits. kNotFound;
  /// kInvalid if several objects match.
  Result<Oid> find_by_prefix(std::string_view digits) const;
  /// Checks loose objects and the packs seen so far; false may mean "not seen yet".
  bool has(const Oid& id) const;

  /// Call after packs were removed: closes idle handles now and borrowed ones when they are
  /// returned.
  void forget_handles();

 private:
  class Pool;
  explicit ObjectDb(std::unique_ptr<Pool> pool);
  std::unique_ptr<Pool> pool_;
};

/// Reads an object from a database, possibly overlaid with objects that are not stored yet.
using ReadObject = std::function<Result<Object>(const Oid&)>;

Result<Commit> read_commit(const ReadObject& read, const Oid& id);
/// Follows annotated tags from `id` to a commit; kInvalid if they lead to anything else.
Result<Oid> peel_to_commit(const ReadObject& read, const Oid& id);
/// The entry at `path` ("a/b/c") below a tree. kNotFound if it does not exist, or if a part of the
/// path is not a folder; kInternal if a tree on the way is missing. The empty path is the tree
/// itself.
Result<TreeEntry> find_path(const ReadObject& read, const Oid& tree, std::string_view path);

}  // namespace portico::git
