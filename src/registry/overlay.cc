#include "registry/overlay.h"

#include <algorithm>

#include "registry/selector.h"
#include "registry/write_rules.h"

namespace portico::registry {

using json::Value;

namespace {

class NoWatch : public Watch {
 public:
  explicit NoWatch(ResourceVersion version) : version_(version) {}
  Result<std::vector<Event>> next(std::chrono::milliseconds) override {
    return std::vector<Event>();
  }
  ResourceVersion version() const override { return version_; }
  void stop() override {}

 private:
  const ResourceVersion version_;
};

}  // namespace

Result<Value> Overlay::get(const krm::ObjectKey& key) const {
  const std::optional<Value> here = layer_.with([&](const Layer& layer) -> std::optional<Value> {
    const auto at = layer.objects.find(key);
    if (at == layer.objects.end()) return std::nullopt;
    return at->second;
  });
  if (!here) return below_.get(key);
  if (here->is_null()) return not_found("{} is not there", key.text());
  return *here;
}

Result<Listing> Overlay::list(const Query& query) const {
  if (!query.continue_from.empty())
    return invalid("a list over an overlay has one page only").because(Reason::kBadRequest);
  Query whole = query;
  whole.limit = 0;
  PORTICO_TRY(Listing out, below_.list(whole));
  PORTICO_TRY(const Selector selector, Selector::make(query, fields()));
  std::map<krm::ObjectKey, Value> merged;
  for (Value& object : out.objects) merged.emplace(krm::object_key(object), std::move(object));
  for (const auto& [key, object] : changes()) {
    if (!object.is_null() && selector.matches(object))
      merged.insert_or_assign(key, object);
    else
      merged.erase(key);
  }
  out.objects.clear();
  for (auto& [key, object] : merged) out.objects.push_back(std::move(object));
  return out;
}

std::vector<krm::GroupKind> Overlay::kinds() const {
  std::vector<krm::GroupKind> out = below_.kinds();
  for (const auto& [key, object] : changes())
    if (!object.is_null()) out.push_back(key.type);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Result<Value> Overlay::write(const Write& write) {
  PORTICO_DO(check_write(write));
  const krm::ObjectKey key = krm::object_key(write.object);
  const auto stored = get(key);
  if (!stored && stored.error().code != Code::kNotFound) return stored.error();
  return layer_.with([&](Layer& layer) -> Result<Value> {
    const Stamp stamp{"", [&] { return fmt::format("planned-{}", ++layer.writes); }, {}};
    if (write.verb == Verb::kDelete && stored) {
      layer.objects.insert_or_assign(key, Value());
      return *stored;
    }
    PORTICO_TRY(Outcome outcome, apply_write(stored ? &*stored : nullptr, write, stamp));
    if (!stored) outcome.object = outcome.object.without_at({"metadata", "creationTimestamp"});
    if (outcome.kind != Outcome::Kind::kKeep)
      layer.objects.insert_or_assign(
          key, outcome.kind == Outcome::Kind::kRemove ? Value() : outcome.object);
    return outcome.object;
  });
}

Result<std::vector<Value>> Overlay::commit(const std::vector<Write>& writes) {
  std::vector<Value> out;
  for (const Write& each : writes) {
    PORTICO_TRY(Value object, write(each), krm::object_key(each.object).text());
    out.push_back(std::move(object));
  }
  return out;
}

std::vector<Result<Value>> Overlay::commit_each(const std::vector<Write>& writes) {
  std::vector<Result<Value>> out;
  out.reserve(writes.size());
  for (const Write& each : writes) out.push_back(write(each));
  return out;
}

std::unique_ptr<Watch> Overlay::watch(const Query&, ResourceVersion from, OnReady) {
  return std::make_unique<NoWatch>(from);
}

ResourceVersion Overlay::version() const { return below_.version(); }

std::map<krm::ObjectKey, Value> Overlay::changes() const {
  return layer_.with([](const Layer& layer) { return layer.objects; });
}

}  // namespace portico::registry
