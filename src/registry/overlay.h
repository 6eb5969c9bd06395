// A Registry on top of another one: reads see what was written here first, nothing reaches the one
// below. What plans and dry runs are made on.
#pragma once

#include <map>

#include "base/guarded.h"
#include "registry/registry.h"

namespace portico::registry {

/// Writes go by the rules of the embedded store, finalizers and dependents of what is deleted
/// included, with uids "planned-N" and without times; but a write that changes something keeps the
/// resourceVersion. A list is never cut, whatever its limit. There is nothing to watch: watch()
/// ends at once; take_events() says what was written. Safe from any thread; `below` must outlive
/// it.
class Overlay : public Registry {
 public:
  explicit Overlay(const Registry& below) : below_(below) {}

  Result<json::Value> get(const krm::ObjectKey& key) const override;
  Result<Listing> list(const Query& query) const override;
  const std::vector<IndexedField>& fields() const override { return below_.fields(); }
  std::vector<krm::GroupKind> kinds() const override;
  Result<std::vector<json::Value>> commit(const std::vector<Write>& writes) override;
  Result<std::vector<json::Value>> dry_run(const std::vector<Write>& writes) const override;
  std::vector<Result<json::Value>> commit_each(const std::vector<Write>& writes) override;
  std::unique_ptr<Watch> watch(const Query& query, ResourceVersion from, OnReady on_ready) override;
  ResourceVersion version() const override;

  /// What was written: the objects as they are now (null: deleted), by key.
  std::map<krm::ObjectKey, json::Value> changes() const;

  /// What was written since the last call, in order.
  std::vector<Event> take_events();

 private:
  struct Layer {
    std::map<krm::ObjectKey, json::Value> objects;  // null: deleted here
    ResourceVersion writes = 0;
    std::vector<Event> events;
  };
  Result<json::Value> write(const Write& write);
  Result<json::Value> write_one(const Write& write, std::vector<json::Value>& removed);
  /// As the store does with what has lost its last owner.
  Result<Done> collect_dependents(const json::Value& owner, std::vector<json::Value>& removed);
  bool is_there(const krm::OwnerReference& owner, const std::string& ns) const;

  const Registry& below_;
  Guarded<Layer> layer_;
};

}  // namespace portico::registry
