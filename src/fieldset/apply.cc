#include "fieldset/apply.h"

#include <fmt/format.h>

#include "fieldset/internal/last_applied.h"
#include "fieldset/internal/updater.h"
#include "fieldset/managers.h"
#include "fieldset/typed.h"
#include "krm/meta.h"

namespace portico::fieldset {
namespace {

using internal::Applied;
using internal::Conflict;
using internal::Updater;
using json::Value;

constexpr const char* kBeforeFirstApply = "before-first-apply";

/// Fields that are never owned: an object's identity, and server-generated metadata.
const Set& never_owned() {
  static const Set kNobodys = [] {
    Set set;
    const Step metadata = Step::field("metadata");
    for (const char* name : {"apiVersion", "kind", "metadata"}) set.insert(Path{Step::field(name)});
    for (const char* name : {"clusterName", "creationTimestamp", "generation", "managedFields",
                             "name", "namespace", "resourceVersion", "selfLink", "uid"})
      set.insert(Path{metadata, Step::field(name)});
    return set;
  }();
  return kNobodys;
}

void strip(Managers& managers, const ManagerId& id) {
  Manager* manager = managers.find(id);
  if (manager == nullptr) return;
  manager->fields = difference(manager->fields.set(), never_owned());
  if (manager->fields.empty()) managers.remove(id);
}

Value without_owners(const Value& object) {
  return object["metadata"].contains("managedFields")
             ? object.without_at({"metadata", "managedFields"})
             : object;
}

Value with_owners(const Value& object, const Managers& managers) {
  Value entries = to_value(managers);
  if (entries.is_null()) return without_owners(object);
  if (entries == object["metadata"]["managedFields"]) return object;
  return object.with_at({"metadata", "managedFields"}, std::move(entries));
}

Value empty_object(const Value& like) {
  return Value::object({{"apiVersion", like["apiVersion"]}, {"kind", like["kind"]}});
}

/// "ns/a; test.example.com/v1, Kind=Widget"
std::string shown(const Value& object) {
  const krm::GroupVersion version = krm::group_version(object["apiVersion"].as_string());
  return fmt::format("{}/{}; {}/{}, Kind={}", krm::namespace_of(object), krm::name_of(object),
                     version.group, version.version, object["kind"].as_string());
}

/// The owners after `before` became `after`; neither has managedFields.
Result<Managers> updated(const Value& before, const Value& after, Managers managers,
                         std::string manager, const Versions& versions, const Writer& writer) {
  const auto type = versions.types.find(writer.api_version);
  if (type == versions.types.end())
    return portico::internal("version \"{}\" has no type", writer.api_version);
  // What this write changed, separate from what its manager changed before.
  const ManagerId self{.manager = "", .applies = false};
  const Updater updater(versions, writer.ownable);
  PORTICO_TRY(managers,
              updater.update({before, &type->second.root()}, {after, &type->second.root()},
                             std::move(managers), self, writer.api_version));
  strip(managers, self);
  if (const Manager* changed = managers.find(self)) {
    Manager entry = *changed;
    managers.remove(self);
    entry.id = {.manager = std::move(manager),
                .applies = false,
                .api_version = writer.api_version,
                .subresource = writer.subresource};
    if (const Manager* earlier = managers.find(entry.id))
      entry.fields = union_of(entry.fields.set(), earlier->fields.set());
    entry.time = rfc3339(writer.now);
    managers.put(std::move(entry));
  }
  cap_updates(managers);
  return managers;
}

/// Whether the managedFields request that all owners be cleared.
bool is_reset(const Value& managed_fields) {
  if (!managed_fields.is_array()) return false;
  if (managed_fields.size() != 1) return managed_fields.empty();
  const Value& only = managed_fields.items().front();
  return only.is_object() && only.empty();
}

Managers owners_before(const Value& before, const Value& after, const Writer& writer) {
  const Value& had = before["metadata"]["managedFields"];
  const Value& given = after["metadata"]["managedFields"];
  if (writer.subresource.empty() && given != had) {
    if (is_reset(given)) return {};
    if (auto read = parse_managers(given); read && !read->empty()) return *std::move(read);
  }
  auto stored = stored_managers(had);
  return stored ? *std::move(stored) : Managers();
}

Result<Done> check_applied(const Value& applied, const Type& type, const Writer& writer) {
  if (const std::string_view version = applied["apiVersion"].as_string();
      version != writer.api_version)
    return invalid(
               "Incorrect version specified in apply patch. Specified patch version: {}, expected: "
               "{}",
               version, writer.api_version)
        .because(Reason::kBadRequest);
  if (!applied["metadata"]["managedFields"].is_null())
    return invalid("metadata.managedFields must be nil").because(Reason::kBadRequest);
  if (auto fits = check(applied, type); !fits)
    return invalid("failed to create typed patch object ({}): {}", shown(applied),
                   fits.error().what);
  return Done{};
}

/// The conflicts that remain when kubectl takes over the fields of its client-side apply.
std::vector<Conflict> not_recorded(const std::vector<Conflict>& conflicts, const Set& recorded) {
  std::vector<Conflict> out;
  for (const Conflict& one : conflicts)
    if (!recorded.has(one.path)) out.push_back(one);
  return out;
}

}  // namespace

Result<Value> apply(const Value& live, const Value& applied, bool force, const Versions& versions,
                    const Writer& writer) {
  const auto found = versions.types.find(writer.api_version);
  if (found == versions.types.end())
    return portico::internal("version \"{}\" has no type", writer.api_version);
  const Type& type = found->second.root();

  auto owners = stored_managers(live["metadata"]["managedFields"]);
  if (!owners) return invalid("failed to decode managed fields: {}", owners.error().text());
  PORTICO_DO(check_applied(applied, type, writer));
  const Value stored = live.is_null() ? empty_object(applied) : without_owners(live);
  if (owners->empty()) {
    PORTICO_TRY(*owners,
                updated(empty_object(applied), stored, {}, kBeforeFirstApply, versions, writer));
  }

  const ManagerId id{.manager = writer.manager,
                     .applies = true,
                     .api_version = {},
                     .subresource = writer.subresource};
  const Updater updater(versions, writer.ownable);
  const auto run = [&](bool forced) {
    return updater.apply({stored, &type}, {applied, &type}, *owners, id, writer.api_version, forced,
                         never_owned());
  };
  PORTICO_TRY(Applied done, run(force));
  const bool is_kubectl = writer.manager == internal::kKubectl;
  if (!done.conflicts.empty() && is_kubectl) {
    const Set recorded = internal::recorded_fields(stored, type, writer.api_version);
    done.conflicts = not_recorded(done.conflicts, recorded);
    if (done.conflicts.empty()) {
      PORTICO_TRY(done, run(true));
    }
  }
  if (!done.conflicts.empty()) return internal::error_of(done.conflicts);

  if (Manager* self = done.managers.find(id); self != nullptr && done.changed)
    self->time = rfc3339(writer.now);
  // If no value changed, returns `live` itself, so that its data stays shared.
  Value object = done.changed || live.is_null() ? done.object : live;
  if (is_kubectl) object = internal::with_record(object, applied);
  return with_owners(object, done.managers);
}

Value track(const Value& before, const Value& after, const Versions& versions,
            const Writer& writer) {
  Managers owners = owners_before(before, after, writer);
  Value wanted = without_owners(after);
  if (owners.empty() && !krm::uid_of(before).empty()) return wanted;
  const Value stored = before.is_null() ? empty_object(after) : without_owners(before);
  auto managers = updated(stored, wanted, std::move(owners), writer.manager, versions, writer);
  if (managers) return with_owners(wanted, *managers);
  // If a conversion fails, the previous owners are kept.
  const Value& kept = before["metadata"]["managedFields"];
  return kept.is_null() ? wanted : wanted.with_at({"metadata", "managedFields"}, kept);
}

Value unless_only_times(const Value& before, const Value& after) {
  const auto without_times = [](const Value& object) {
    std::vector<Value> entries;
    for (const Value& entry : object["metadata"]["managedFields"].items())
      entries.push_back(entry.without("time"));
    return entries;
  };
  if (without_owners(before) == without_owners(after) &&
      without_times(before) == without_times(after))
    return before;
  return after;
}

}  // namespace portico::fieldset
