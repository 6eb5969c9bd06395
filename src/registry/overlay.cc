#include "registry/overlay.h"

#include <algorithm>
#include <utility>

#include "registry/selector.h"
#include "registry/write_rules.h"

namespace portico::registry {

using json::Value;

namespace {

// Of what is being deleted: a plan knows no time.
constexpr const char* kNoTime = "1970-01-01T00:00:00Z";

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
  layer_.with([&](const Layer& layer) {
    // Keys are in order of kinds: of a kind only its own are looked at.
    auto at = query.type.kind.empty() ? layer.objects.begin()
                                      : layer.objects.lower_bound({query.type, query.ns, ""});
    for (; at != layer.objects.end(); ++at) {
      const auto& [key, object] = *at;
      if (!query.type.kind.empty() &&
          (key.type != query.type || (!query.ns.empty() && key.ns != query.ns)))
        break;
      if (!object.is_null() && selector.matches(object))
        merged.insert_or_assign(key, object);
      else
        merged.erase(key);
    }
  });
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

Result<Value> Overlay::write_one(const Write& write, std::vector<Value>& removed) {
  PORTICO_DO(check_write(write));
  const krm::ObjectKey key = krm::object_key(write.object);
  const auto stored = get(key);
  if (!stored && stored.error().code != Code::kNotFound) return stored.error();
  return layer_.with([&](Layer& layer) -> Result<Value> {
    const Stamp stamp{kNoTime, [&] { return fmt::format("planned-{}", ++layer.writes); }, {}};
    PORTICO_TRY(Outcome outcome, apply_write(stored ? &*stored : nullptr, write, stamp));
    if (!stored) outcome.object = outcome.object.without_at({"metadata", "creationTimestamp"});
    if (outcome.kind == Outcome::Kind::kKeep) return outcome.object;
    const bool gone = outcome.kind == Outcome::Kind::kRemove;
    layer.objects.insert_or_assign(key, gone ? Value() : outcome.object);
    layer.events.push_back({gone      ? Change::kDeleted
                            : !stored ? Change::kAdded
                                      : Change::kModified,
                            outcome.object, stored ? *stored : Value(), below_.version()});
    if (gone) removed.push_back(outcome.object);
    return outcome.object;
  });
}

bool Overlay::is_there(const krm::OwnerReference& owner, const std::string& ns) const {
  const krm::GroupKind type{krm::group_version(owner.api_version).group, owner.kind};
  for (const std::string& where : {ns, std::string()})
    if (const auto stored = get({type, where, owner.name});
        stored && krm::uid_of(*stored) == owner.uid)
      return true;
  return false;
}

Result<Done> Overlay::collect_dependents(const Value& owner, std::vector<Value>& removed) {
  const std::string uid(krm::uid_of(owner));
  if (uid.empty()) return Done{};
  PORTICO_TRY(const Listing dependents, list({.owner = uid}));
  for (const Value& each : dependents.objects) {
    std::vector<krm::OwnerReference> living = krm::owners_of(each);
    std::erase_if(living, [&](const krm::OwnerReference& one) {
      return !is_there(one, std::string(krm::namespace_of(each)));
    });
    const Value bare = each.without_at({"metadata", "resourceVersion"});
    const Write write = living.empty() ? Write{Verb::kDelete, bare}
                                       : Write{Verb::kUpdate, krm::with_owners(bare, living)};
    PORTICO_DO(write_one(write, removed));
  }
  return Done{};
}

Result<Value> Overlay::write(const Write& write) {
  std::vector<Value> removed;
  PORTICO_TRY(Value object, write_one(write, removed));
  while (!removed.empty()) {
    const Value owner = removed.back();
    removed.pop_back();
    PORTICO_DO(collect_dependents(owner, removed));
  }
  return object;
}

Result<std::vector<Value>> Overlay::commit(const std::vector<Write>& writes) {
  std::vector<Value> out;
  for (const Write& each : writes) {
    PORTICO_TRY(Value object, write(each), krm::object_key(each.object).text());
    out.push_back(std::move(object));
  }
  return out;
}

Result<std::vector<Value>> Overlay::dry_run(const std::vector<Write>& writes) const {
  Overlay scratch(static_cast<const Registry&>(*this));  // not a copy: over this one
  return scratch.commit(writes);
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

std::vector<Event> Overlay::take_events() {
  return layer_.with([](Layer& layer) { return std::exchange(layer.events, {}); });
}

}  // namespace portico::registry
