// A Registry that forwards every call to another one: a base class for decorators.
#pragma once

#include <utility>

#include "registry/registry.h"

namespace portico::registry {

class ForwardingRegistry : public Registry {
 public:
  explicit ForwardingRegistry(Registry& below) : below_(below) {}

  Result<json::Value> get(const krm::ObjectKey& key) const override { return below_.get(key); }
  Result<Listing> list(const Query& query) const override { return below_.list(query); }
  const std::vector<IndexedField>& fields() const override { return below_.fields(); }
  std::vector<krm::GroupKind> kinds() const override { return below_.kinds(); }
  Result<std::vector<json::Value>> commit(const std::vector<Write>& writes) override {
    return below_.commit(writes);
  }
  Result<std::vector<json::Value>> dry_run(const std::vector<Write>& writes) const override {
    return below_.dry_run(writes);
  }
  std::vector<Result<json::Value>> commit_each(const std::vector<Write>& writes) override {
    return below_.commit_each(writes);
  }
  std::unique_ptr<Watch> watch(const Query& query, ResourceVersion from,
                               OnReady on_ready) override {
    return below_.watch(query, from, std::move(on_ready));
  }
  ResourceVersion version() const override { return below_.version(); }
  Result<std::unique_ptr<Registry>> fork() const override { return below_.fork(); }

 private:
  Registry& below_;
};

}  // namespace portico::registry
