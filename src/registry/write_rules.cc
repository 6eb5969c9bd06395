#include "registry/write_rules.h"

#include <algorithm>
#include <array>

#include "json/text.h"
#include "krm/meta.h"
#include "krm/type_names.h"
#include "registry/no_object.h"

namespace portico::registry {
namespace {

/// Metadata that only the store sets; values from clients are ignored.
constexpr std::array<std::string_view, 6> kOwnFields = {
    "creationTimestamp", "deletionGracePeriodSeconds",
    "deletionTimestamp", "generation",
    "resourceVersion",   "uid"};

// Kubernetes' names (metav1.FinalizerOrphanDependents, FinalizerDeleteDependents).
constexpr std::string_view kOrphanFinalizer = "orphan";
constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";

/// `wanted` with the fields of kOwnFields from `stored` (null: without them).
json::Value with_own_fields(const json::Value& wanted, const json::Value& stored) {
  json::Value metadata = wanted["metadata"];
  for (const std::string_view field : kOwnFields) {
    const json::Value* const value = stored["metadata"].find(field);
    const json::Value* const has = metadata.find(field);
    if (value == nullptr)
      metadata = metadata.without(field);
    else if (has == nullptr || !has->same_as(*value))
      metadata = metadata.with(field, *value);
  }
  return wanted.with("metadata", std::move(metadata));
}

/// Whether a difference affects the generation: not in metadata, and in status only for kinds where
/// it is an ordinary field.
bool wanted_differs(const json::Value& a, const json::Value& b, bool status_counts) {
  const auto counted = [&](const json::Value& one) {
    const json::Value wanted = one.without("metadata");
    return status_counts ? wanted : wanted.without("status");
  };
  return counted(a) != counted(b);
}

Result<Done> check_preconditions(const json::Value& stored, const json::Value& wanted) {
  const std::uint64_t version = krm::resource_version_of(wanted);
  if (version != 0 && version != krm::resource_version_of(stored))
    return conflict("the object has been modified: resourceVersion {} was given, {} is stored",
                    version, krm::resource_version_of(stored));
  const std::string_view uid = krm::uid_of(wanted);
  if (!uid.empty() && uid != krm::uid_of(stored))
    return conflict(
        "the object was replaced by another of the same name: uid \"{}\" was given, \"{}\" is "
        "stored",
        uid, krm::uid_of(stored));
  return Done{};
}

Result<Outcome> create(const json::Value* stored, const json::Value& wanted, const Stamp& stamp) {
  if (stored != nullptr) return already_exists("the object already exists");
  if (krm::resource_version_of(wanted) != 0)
    return invalid("must not be set on objects to be created").in("metadata.resourceVersion");
  const json::Value own =
      json::Value::object({{"metadata", json::Value::object({{"creationTimestamp", stamp.time},
                                                             {"generation", 1},
                                                             {"uid", stamp.uid()}})}});
  return Outcome{Outcome::Kind::kPut, with_own_fields(wanted, own)};
}

Result<Done> check_finalizers_shrink(const json::Value& stored, const json::Value& wanted) {
  const std::vector<std::string> before = krm::finalizers_of(stored);
  for (const std::string& finalizer : krm::finalizers_of(wanted))
    if (std::find(before.begin(), before.end(), finalizer) == before.end())
      return invalid("\"{}\" cannot be added: the object is being deleted", finalizer)
          .in("metadata.finalizers");
  return Done{};
}

Result<Outcome> update(const json::Value& stored, const json::Value& wanted, Verb verb) {
  json::Value next = with_own_fields(wanted, stored);
  if (verb == Verb::kUpdate) {
    const json::Value* status = stored.find("status");
    next = status != nullptr ? next.with("status", *status) : next.without("status");
  }
  if (krm::is_deleting(stored)) {
    PORTICO_DO(check_finalizers_shrink(stored, next));
    if (krm::finalizers_of(next).empty()) return Outcome{Outcome::Kind::kRemove, stored};
  }
  if (next == stored) return Outcome{Outcome::Kind::kKeep, stored};
  if (wanted_differs(stored, next, verb == Verb::kReplace))
    next = next.with_at({"metadata", "generation"}, krm::generation_of(stored) + 1);
  return Outcome{Outcome::Kind::kPut, std::move(next)};
}

Result<Outcome> update_status(const json::Value& stored, const json::Value& wanted) {
  const json::Value* status = wanted.find("status");
  json::Value next = status != nullptr ? stored.with("status", *status) : stored.without("status");
  if (next == stored) return Outcome{Outcome::Kind::kKeep, stored};
  return Outcome{Outcome::Kind::kPut, std::move(next)};
}

bool contains(const std::vector<std::string>& finalizers, std::string_view one) {
  return std::find(finalizers.begin(), finalizers.end(), one) != finalizers.end();
}

Result<Outcome> remove(const json::Value& stored, Propagation propagation, const Stamp& stamp) {
  const std::vector<std::string> before = krm::finalizers_of(stored);
  if (propagation == Propagation::kBackground) {
    if (contains(before, kOrphanFinalizer)) propagation = Propagation::kOrphan;
    if (contains(before, kForegroundFinalizer)) propagation = Propagation::kForeground;
  }
  // Dependents are orphaned immediately, so no finalizer has to hold the object.
  const bool foreground = propagation == Propagation::kForeground;
  std::vector<std::string> after = before;
  std::erase(after, kOrphanFinalizer);
  if (!foreground) std::erase(after, kForegroundFinalizer);
  if (foreground && !contains(after, kForegroundFinalizer))
    after.emplace_back(kForegroundFinalizer);

  const bool orphans = propagation == Propagation::kOrphan;
  if (after.empty()) return Outcome{Outcome::Kind::kRemove, stored, orphans};
  if (krm::is_deleting(stored) && after == before)
    return Outcome{Outcome::Kind::kKeep, stored, orphans};
  json::Value next = after == before ? stored : krm::with_finalizers(stored, after);
  if (!krm::is_deleting(stored))
    next = next.with_at({"metadata", "deletionTimestamp"}, stamp.time)
               .with_at({"metadata", "deletionGracePeriodSeconds"}, 0);
  return Outcome{Outcome::Kind::kPut, std::move(next), orphans};
}

}  // namespace

bool waits_for_dependents(const json::Value& object) {
  return krm::is_deleting(object) && contains(krm::finalizers_of(object), kForegroundFinalizer);
}

json::Value without_foreground(const json::Value& object) {
  std::vector<std::string> finalizers = krm::finalizers_of(object);
  std::erase(finalizers, kForegroundFinalizer);
  return krm::with_finalizers(object, finalizers);
}

Result<Done> still(const Precondition& only, std::string_view uid) {
  if (uid == only.uid) return Done{};
  return conflict("\"{}\" is {} now: it was {}", only.key.text(),
                  uid.empty() ? "gone" : "another object of the same name",
                  only.uid.empty() ? "gone" : "present when this operation started");
}

Result<Done> check_write(const Write& write) {
  const json::Value& object = write.object;
  if (!object.is_object()) return invalid("an object must be a map");
  for (const char* field : {"apiVersion", "kind"})
    if (object[field].as_string().empty()) return invalid("must be a string, not empty").in(field);
  // Creates only: an object that is stored already can still be changed and deleted.
  if (write.verb == Verb::kCreate) PORTICO_DO(krm::validate_type(object));
  PORTICO_DO(krm::validate_metadata(object));
  if (write.verb != Verb::kCreate && krm::name_of(object).empty())
    return invalid("must not be empty").in("metadata.name");
  return json::check_printable(object);
}

Result<Done> check_version(const Write& write) {
  const json::Value& object = write.object;
  const std::string_view version = object["metadata"]["resourceVersion"].as_string();
  if (!version.empty() && version != "0" && krm::resource_version_of(object) == 0)
    return invalid("invalid resource version \"{}\"", version).in("metadata.resourceVersion");
  return Done{};
}

json::Value with_generated_name(const json::Value& object, const Stamp& stamp) {
  if (!krm::name_of(object).empty()) return object;
  // As in Kubernetes: the prefix is truncated so that prefix and suffix fit.
  constexpr std::size_t kLongest = 58;
  std::string name(object["metadata"]["generateName"].as_string().substr(0, kLongest));
  return object.with_at({"metadata", "name"}, name + stamp.name_suffix());
}

Result<Outcome> apply_write(const json::Value* stored, const Write& write, const Stamp& stamp) {
  if (write.verb == Verb::kCreate) return create(stored, write.object, stamp);
  if (stored == nullptr) return no_object(krm::object_key(write.object));
  PORTICO_DO(check_preconditions(*stored, write.object));
  switch (write.verb) {
    case Verb::kUpdate:
    case Verb::kUpdateAll:
    case Verb::kReplace:
      return update(*stored, write.object, write.verb);
    case Verb::kUpdateStatus:
      return update_status(*stored, write.object);
    default:
      return remove(*stored, write.propagation, stamp);
  }
}

}  // namespace portico::registry
