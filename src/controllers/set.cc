#include "controllers/set.h"

#include "api/kinds.h"
#include "controllers/set_observe.h"
#include "controllers/status.h"
#include "variants/set_status.h"

namespace portico::controllers {

namespace {

krm::ObjectKey key_of(const api::PackageVariantSet& set) {
  return {{std::string(api::kConfigGroup), std::string(api::kVariantSetKind)},
          set.metadata.ns,
          set.metadata.name};
}

// What a person can do nothing about and a later try may mend.
bool transient(const Error& error) {
  return error.code == Code::kUnavailable || error.code == Code::kInternal ||
         error.code == Code::kConflict;
}

}  // namespace

std::shared_ptr<const Result<variants::CompiledSet>> CompiledSets::of(
    const api::PackageVariantSet& set) {
  const krm::ObjectKey key = key_of(set);
  auto known = entries_.with([&](const auto& entries) {
    const auto at = entries.find(key);
    return at != entries.end() && at->second.uid == set.metadata.uid &&
                   at->second.generation == set.metadata.generation
               ? at->second.compiled
               : nullptr;
  });
  if (known != nullptr) return known;
  auto fresh = std::make_shared<const Result<variants::CompiledSet>>(
      language_ ? variants::compile_set(*language_, set.spec) : language_.error());
  entries_.with([&](auto& entries) {
    entries.insert_or_assign(key, Entry{set.metadata.uid, set.metadata.generation, fresh});
  });
  return fresh;
}

void CompiledSets::forget(const krm::ObjectKey& key) {
  entries_.with([&](auto& entries) { entries.erase(key); });
}

std::vector<store::Write> writes_of(const std::vector<variants::SetAction>& actions) {
  std::vector<store::Write> writes;
  writes.reserve(actions.size());
  for (const variants::SetAction& action : actions) {
    const store::Verb verb = action.verb == variants::Verb::kCreate   ? store::Verb::kCreate
                             : action.verb == variants::Verb::kUpdate ? store::Verb::kUpdate
                                                                      : store::Verb::kDelete;
    writes.push_back({verb, api::encode(*action.object)});
  }
  return writes;
}

Result<Done> reconcile_set(const krm::ObjectKey& key, store::Registry& registry, Caches& caches,
                           CompiledSets& compiled, const Clock& clock) {
  PORTICO_TRY(auto snapshot, observe_set(key, registry, caches));
  if (!snapshot) {
    compiled.forget(key);
    caches.forget(key);
    return Done{};
  }
  if (snapshot->set->metadata.deleting()) return Done{};

  const variants::SetDecision decision =
      variants::decide_set(*snapshot, *compiled.of(*snapshot->set));
  const auto written = registry.commit_each(writes_of(decision.actions));
  std::vector<variants::FailedAction> failed;
  Result<Done> outcome = Done{};
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i]) continue;
    failed.push_back({decision.actions[i].key, written[i].error()});
    if (transient(written[i].error())) outcome = written[i].error();
  }

  if (!decision.actions.empty()) {
    PORTICO_TRY(auto after, observe_set(key, registry, caches));
    if (!after) return Done{};
    snapshot = std::move(after);
  }
  api::PackageVariantSet changed = *snapshot->set;
  changed.status = variants::set_status(*snapshot, decision, failed, clock.now());
  if (changed.status != snapshot->set->status) {
    PORTICO_TRY(const json::Value stored, registry.get(key));
    PORTICO_DO(write_status(registry, stored, api::encode(changed)["status"]));
  }
  return outcome;
}

}  // namespace portico::controllers
