// Objects that are ready to be written but not yet in the repository.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "git/object.h"
#include "git/oid.h"

namespace portico::git {

/// One object as a pack stores it, undeltified.
struct StagedObject {
  Oid id;
  ObjectType type = ObjectType::kBlob;
  std::string raw;     // content of trees, commits and tags; empty for blobs
  std::string packed;  // pack entry: header and deflated content
  std::uint32_t crc = 0;
};

/// A set of new objects. add() hashes and deflates, so each writer does that work in its own
/// thread. Not thread-safe.
class Staging {
 public:
  /// Returns the object's id. An object that is already staged is not added again.
  Oid add(ObjectType type, std::string_view bytes);
  /// The same for an id that the caller already computed (with object_id).
  void add(const Oid& id, ObjectType type, std::string_view bytes);

  /// nullptr if it is not staged.
  const StagedObject* find(const Oid& id) const;
  const std::vector<std::shared_ptr<const StagedObject>>& objects() const { return objects_; }
  bool empty() const { return objects_.empty(); }

  void merge(const Staging& other);
  /// Drops all objects but the first `count`.
  void truncate(std::size_t count);

 private:
  std::vector<std::shared_ptr<const StagedObject>> objects_;
  std::unordered_map<Oid, std::size_t> index_;
};

}  // namespace portico::git
