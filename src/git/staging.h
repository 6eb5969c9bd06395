// Objects that are ready to be stored but not yet in the repository.
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

/// One object in the form a pack holds it, whole (no delta).
struct StagedObject {
  Oid id;
  ObjectType type = ObjectType::kBlob;
  std::string raw;     // the content, of trees, commits and tags; empty for blobs
  std::string packed;  // pack entry: header and deflated content
  std::uint32_t crc = 0;
};

/// A set of new objects. Hashing and deflating happen in add(), so each writer does it in a thread
/// of its own. Not safe from several threads at once.
class Staging {
 public:
  /// The object's id. An object that is already here is not added again.
  Oid add(ObjectType type, std::string_view bytes);
  /// The same for an id known by the caller (from object_id).
  void add(const Oid& id, ObjectType type, std::string_view bytes);

  /// nullptr where it is not here.
  const StagedObject* find(const Oid& id) const;
  const std::vector<std::shared_ptr<const StagedObject>>& objects() const { return objects_; }
  bool empty() const { return objects_.empty(); }

  void merge(const Staging& other);
  /// Forgets all objects but the first `count`.
  void truncate(std::size_t count);

 private:
  std::vector<std::shared_ptr<const StagedObject>> objects_;
  std::unordered_map<Oid, std::size_t> index_;
};

}  // namespace portico::git
