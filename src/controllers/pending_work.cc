#include "controllers/pending_work.h"

#include <utility>

#include "api/decode.h"
#include "api/kinds.h"
#include "api/repository.h"
#include "controllers/following.h"
#include "controllers/set_observe.h"
#include "controllers/sync_times.h"
#include "controllers/variant_observe.h"
#include "packages/lineage.h"
#include "resources/state.h"
#include "variants/suspension.h"

namespace portico::controllers {

using json::Value;
using variants::WorkLeft;

namespace {

PendingWork::Key only(WorkLeft left) {
  PendingWork::Key out;
  out.left = left;
  return out;
}

/// For an object that does not decode: whether its status already says so for its current
/// generation.
WorkLeft left_of_undecoded(const Value& object) {
  const bool current =
      api::is_current(krm::generation_of(object), object["status"]["observedGeneration"].as_int());
  const bool said = resources::condition_status(object, api::kReady) == "False" &&
                    (krm::group_kind(object) == api::repository_kind() ||
                     resources::condition_status(object, api::kStalled) == "True");
  return current && said ? WorkLeft::kNothing : WorkLeft::kWork;
}

}  // namespace

Result<std::map<krm::ObjectKey, PendingWork::Key>> PendingWork::look(
    const std::set<krm::ObjectKey>& asked, TimePoint now) {
  std::set<krm::ObjectKey> keys;
  if (asked.empty()) {
    for (const krm::GroupKind& type :
         {api::repository_kind(), api::variant_kind(), api::variant_set_kind()}) {
      PORTICO_TRY(const auto all, registry_.list({.type = type}));
      for (const Value& object : all.objects) keys.insert(krm::object_key(object));
    }
  } else {
    PORTICO_TRY(keys, index_.following(asked));
  }
  std::map<krm::ObjectKey, Key> out;
  for (const krm::ObjectKey& key : keys) {
    PORTICO_TRY(out[key], look_at(key, now), key.text());
  }
  return out;
}

Result<PendingWork::Key> PendingWork::look_at(const krm::ObjectKey& key, TimePoint now) {
  auto seen = key.type == api::variant_kind()       ? variant(key, now)
              : key.type == api::variant_set_kind() ? set(key)
              : key.type == api::repository_kind()  ? repository(key, now)
                                                    : Result<Key>(Key{});
  if (seen || seen.error().code != Code::kInvalid || seen.error().reason == Reason::kForbidden)
    return seen;
  PORTICO_TRY(const Value object, registry_.get(key));
  Key out = only(left_of_undecoded(object));
  if (key.type == api::variant_kind()) {
    out.left = WorkLeft::kFailed;
    out.untold = std::move(seen).error();
  }
  return out;
}

// A variant whose set is gone is deleted by the cluster's garbage collector. If that has happened,
// its status says what it waits for.
Result<bool> PendingWork::is_orphaned(const api::PackageVariant& variant) const {
  if (variant.metadata.deleting()) return false;
  for (const krm::OwnerReference& owner : variant.metadata.owners) {
    if (!owner.controller || owner.kind != api::kVariantSetKind) continue;
    const auto set = registry_.get({api::variant_set_kind(), variant.metadata.ns, owner.name});
    if (!set && set.error().code != Code::kNotFound) return set.error();
    return !set || krm::uid_of(*set) != owner.uid;
  }
  return false;
}

Result<PendingWork::Key> PendingWork::variant(const krm::ObjectKey& key, TimePoint now) {
  PORTICO_TRY(const auto snapshot, observe_variant(key, registry_, caches_, now));
  if (!snapshot) return Key{};
  Key out = only(variants::work_left(*snapshot));
  out.variant = variants::decide(*snapshot);
  PORTICO_TRY(const bool orphaned, is_orphaned(*snapshot->variant));
  if (orphaned && out.left == WorkLeft::kNothing) out.left = WorkLeft::kWork;
  return out;
}

Result<PendingWork::Key> PendingWork::set(const krm::ObjectKey& key) {
  PORTICO_TRY(auto snapshot, observe_set(key, registry_, caches_));
  if (!snapshot) return Key{};
  auto decision = decide_observed(*snapshot, *memory_.compiled(*snapshot->set), registry_);
  // The objects that the decision reads are being written right now.
  if (!decision && decision.error().code == Code::kConflict) return only(WorkLeft::kWork);
  if (!decision) return std::move(decision).error();
  Key out = only(variants::work_left(*snapshot, *decision));
  out.set = *std::move(decision);
  return out;
}

Result<PendingWork::Key> PendingWork::repository(const krm::ObjectKey& key, TimePoint now) const {
  const auto stored = registry_.get(key);
  if (!stored && stored.error().code != Code::kNotFound) return stored.error();
  PORTICO_TRY(const auto seen, registry_.list({.type = api::revision_kind(),
                                               .ns = key.ns,
                                               .fields = {{packages::kByRepository, key.name}}}));
  // Its mirrored revisions are to be forgotten.
  if (!stored)
    return only(repositories_ && !seen.objects.empty() ? WorkLeft::kWork : WorkLeft::kNothing);
  if (krm::is_deleting(*stored)) return Key{};
  PORTICO_TRY(const api::Repository repository, api::decode<api::Repository>(*stored));
  const api::RepositoryStatus& said = repository.status;
  const bool suspended = api::find_condition(said.conditions, api::kSuspended) != nullptr;
  if (repositories_ && suspended != variants::is_suspended(repository.metadata.annotations))
    return only(WorkLeft::kWork);
  if (suspended) return Key{};
  const api::Condition* const ready = api::find_condition(said.conditions, api::kReady);
  if (ready == nullptr ||
      !api::is_current(repository.metadata.generation, said.observed_generation))
    return only(WorkLeft::kWork);
  if (ready->status != "True") return only(WorkLeft::kFailed);
  if (!repositories_) return Key{};
  std::set<std::string_view> packages;
  for (const Value& object : seen.objects)
    packages.insert(object["spec"]["packageName"].as_string());
  const bool counted = said.package_count == static_cast<std::int64_t>(packages.size());
  const bool read = !said.last_full_sync_time.empty() && !is_run_once_due(repository, now);
  return only(counted && read ? WorkLeft::kNothing : WorkLeft::kWork);
}

}  // namespace portico::controllers
