#include "engine/partial_fork.h"

#include <utility>
#include <vector>

#include "base/guarded.h"
#include "registry/forwarding_registry.h"

namespace portico::engine {

using json::Value;
using registry::Write;

namespace {

class PartialFork : public registry::ForwardingRegistry {
 public:
  explicit PartialFork(PartialForkOptions options)
      : ForwardingRegistry(*options.fork), options_(std::move(options)) {}

  Result<Value> get(const krm::ObjectKey& key) const override {
    if (holds(key)) return options_.fork->get(key);
    return options_.read(key);
  }

  Result<registry::Listing> list(const registry::Query& query) const override {
    if (query.type.kind.empty() || options_.held.contains(query.type))
      return options_.fork->list(query);
    return options_.below.list(query);
  }

  Result<std::vector<Value>> commit(const std::vector<Write>& writes) override {
    std::vector<Write> all;
    for (const Write& write : writes) {
      PORTICO_TRY(Write own, owned(write));
      all.push_back(std::move(own));
    }
    return options_.fork->commit(all);
  }
  std::vector<Result<Value>> commit_each(const std::vector<Write>& writes) override {
    std::vector<Result<Value>> out;
    out.reserve(writes.size());
    for (const Write& write : writes) {
      auto written = commit({write});
      if (written)
        out.emplace_back(std::move(written->front()));
      else
        out.emplace_back(std::move(written).error());
    }
    return out;
  }

 private:
  bool holds(const krm::ObjectKey& key) const {
    return options_.held.contains(key.type) ||
           taken_.with([&](const auto& taken) { return taken.contains(key); });
  }

  // For a write to an object from elsewhere: first copies the object into the fork unchanged. It
  // then has the fork's uid and version.
  Result<Write> owned(const Write& write) {
    const krm::ObjectKey key = krm::object_key(write.object);
    if (options_.held.contains(key.type)) return write;
    if (!holds(key)) {
      auto there = options_.read(key);
      if (!there && there.error().code != Code::kNotFound) return std::move(there).error();
      if (there) PORTICO_DO(options_.fork->commit({{registry::Verb::kCreate, unbound(*there)}}));
      taken_.with([&](auto& taken) { taken.insert(key); });
    }
    Write out = write;
    out.object = unbound(out.object);
    return out;
  }
  static Value unbound(const Value& object) {
    return object.without_at({"metadata", "resourceVersion"}).without_at({"metadata", "uid"});
  }

  const PartialForkOptions options_;
  Guarded<std::set<krm::ObjectKey>> taken_;
};

}  // namespace

std::unique_ptr<registry::Registry> make_partial_fork(PartialForkOptions options) {
  return std::make_unique<PartialFork>(std::move(options));
}

}  // namespace portico::engine
