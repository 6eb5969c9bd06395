// Writes that are planned but not yet durable: a layer over the table, with the events they give.
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

/// An event with what the log keeps of it.
struct Logged {
  Event event;
  krm::ObjectKey key;
  std::string text;  // the object as JSON; "" for a deletion
};

/// What holds for all writes of a store.
struct WriteLimits {
  std::size_t object_bytes = 0;  // the largest object, as printed JSON
  /// Owners may be where this store does not see them: one that was never here counts as living.
  bool owners_elsewhere = false;
};

/// Used by the one thread that writes. The table must not change while it lives.
class Transaction {
 public:
  Transaction(const Table& table, ResourceVersion version, Stamp stamp, WriteLimits limits);

  /// All or nothing; then collects the garbage that the writes made. The objects as they are
  /// afterwards, one a write, a deleted one in its last state.
  Result<std::vector<json::Value>> apply_all(const std::vector<Write>& writes);
  /// Each on its own; garbage is collected once at the end.
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
  Result<Done> check(const Only& only) const;
  Result<Applied> apply(const Write& write);
  Result<Done> put(const krm::ObjectKey& key, json::Value object);
  void erase(const krm::ObjectKey& key, json::Value before);
  void remember(const krm::ObjectKey& key, const json::Value& before, json::Value after);
  void roll_back(std::size_t log_size);

  void collect_garbage(std::size_t from);
  void settle_owners(const krm::ObjectKey& key);
  void orphan_dependents(const krm::ObjectKey& owner_key, const std::string& uid);
  void finish_foreground(const std::string& uid, const std::string& ns);
  /// The object with that uid where it can own something in `ns`, else null.
  json::Value owner(const std::string& uid, const std::string& ns) const;
  /// There is no object with that uid here, and the writes have not deleted it.
  bool is_elsewhere(const std::string& uid) const;
  /// The objects that name `uid` as owner.
  std::vector<std::pair<krm::ObjectKey, json::Value>> dependents(const std::string& uid) const;
  json::Value latest(const Applied& applied) const;

  const Table& table_;
  ResourceVersion version_;
  Stamp stamp_;
  WriteLimits limits_;
  std::vector<Logged> log_;
  std::map<krm::ObjectKey, json::Value> changed_;                // null: gone
  std::map<std::string, std::optional<krm::ObjectKey>> by_uid_;  // changed ones; nullopt: gone
  std::set<std::pair<std::string, krm::ObjectKey>> owned_;  // by owner's uid; may hold too many
};

}  // namespace portico::registry
