// Writes that are planned but not yet durable: a layer over the table, and the events they produce.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "json/value.h"
#include "registry/registry.h"
#include "registry/table.h"
#include "registry/write_rules.h"

namespace portico::registry {

/// An event and its log record.
struct Logged {
  Event event;
  krm::ObjectKey key;
  std::string text;  // the object as JSON; "" for a deletion
};

/// Limits for all writes of a store.
struct WriteLimits {
  std::size_t object_bytes = 0;  // the largest object, as printed JSON
  /// Owners may be stored elsewhere: an owner that was never in this store counts as existing.
  bool owners_elsewhere = false;
};

/// Used only by the writer thread. The table must not change during its lifetime.
class Transaction {
 public:
  Transaction(const Table& table, ResourceVersion version, Stamp stamp, WriteLimits limits);

  /// All or nothing; then collects the garbage that the writes left. Returns the resulting objects,
  /// one per write; a deleted one in its last state.
  Result<std::vector<json::Value>> apply_all(const std::vector<Write>& writes);
  /// Applies each write on its own; collects garbage once at the end.
  std::vector<Result<json::Value>> apply_each(const std::vector<Write>& writes);

  ResourceVersion version() const { return version_; }
  const std::vector<Logged>& log() const { return log_; }
  std::vector<Logged> take_log() && { return std::move(log_); }

 private:
  struct Applied {
    krm::ObjectKey key;
    json::Value object;
  };

  const json::Value* find(const krm::ObjectKey& key) const;
  Result<Done> check(const Precondition& only) const;
  Result<Applied> apply(const Write& write);
  Result<Done> put(const krm::ObjectKey& key, json::Value object);
  void erase(const krm::ObjectKey& key, json::Value before);
  void remember(const krm::ObjectKey& key, const json::Value& before, json::Value after);
  void roll_back(std::size_t log_size);

  void collect_garbage(std::size_t from);
  void settle_owners(const krm::ObjectKey& key);
  void orphan_dependents(const krm::ObjectKey& owner_key, const std::string& uid);
  void finish_foreground(const std::string& uid, const std::string& ns);
  /// The object with that uid if it can own objects in `ns`, else null.
  json::Value owner(const std::string& uid, const std::string& ns) const;
  /// Whether no object with that uid is or was here: the writes have not deleted it.
  bool is_elsewhere(const std::string& uid) const;
  /// The objects that name `uid` as owner.
  std::vector<std::pair<krm::ObjectKey, json::Value>> dependents(const std::string& uid) const;
  json::Value latest(const Applied& applied) const;

  const Table& table_;
  ResourceVersion version_;
  Stamp stamp_;
  WriteLimits limits_;
  std::vector<Logged> log_;
  std::map<krm::ObjectKey, json::Value> changed_;                // null: deleted
  std::map<std::string, std::optional<krm::ObjectKey>> by_uid_;  // changed; nullopt: deleted
  std::set<std::pair<std::string, krm::ObjectKey>> owned_;       // by owner uid; may be stale
};

}  // namespace portico::registry
