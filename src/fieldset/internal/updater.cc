#include "fieldset/internal/updater.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace portico::fieldset::internal {
namespace {

using json::Value;

bool is_member(const Value& fields) { return fields.empty() || fields.contains("."); }

/// The fields to remove when one manager no longer has `given_up`, if all owners use one version:
/// those that none of `owners` (FieldsV1) has, and the declared fields above them that have no
/// owned fields left.
Set orphans(const Set& given_up, const std::vector<const Value*>& owners, const Type& type) {
  Set out;
  for (const Node& node : given_up.nodes()) {
    const bool is_field = node.step.kind == Step::Kind::kField;
    const bool is_declared =
        is_field && type.is_map && type.field(node.step.value.as_string()) != nullptr;
    const std::string key = key_of(node.step);
    std::vector<const Value*> below;
    bool is_owned = false;
    for (const Value* fields : owners)
      if (const Value* found = fields->find(key)) {
        below.push_back(found);
        is_owned |= is_declared || is_member(*found);
      }
    const bool was_owned = node.is_member || (is_declared && !node.below.empty());
    const Type* next =
        is_field ? (type.is_map ? type.member(node.step.value.as_string()) : nullptr) : type.items;
    out.append(node.step, was_owned && !is_owned,
               orphans(node.below, below, next != nullptr ? *next : free_type()));
  }
  return out;
}

}  // namespace

Error error_of(const std::vector<Conflict>& conflicts) {
  std::vector<Cause> causes;
  for (const Conflict& one : conflicts)
    causes.push_back(
        {"FieldManagerConflict", "conflict with " + one.manager.text(), text_of(one.path)});
  std::string text;
  if (conflicts.size() == 1) {
    text = fmt::format("Apply failed with 1 conflict: {}: {}", causes[0].message, causes[0].field);
  } else {
    text = fmt::format("Apply failed with {} conflicts: ", conflicts.size());
    const ManagerId* last = nullptr;
    for (std::size_t i = 0; i < conflicts.size(); ++i) {
      if (last == nullptr || *last != conflicts[i].manager)
        text += fmt::format("{}conflicts with {}:", last == nullptr ? "" : "\n",
                            conflicts[i].manager.text());
      text += "\n- " + causes[i].field;
      last = &conflicts[i].manager;
    }
  }
  Error error = conflict("{}", text);
  error.causes = std::move(causes);
  return error;
}

Set Updater::owned(const Set& set) const {
  Set out = ownable_.only.empty() ? set : only_below(set, ownable_.only);
  if (ownable_.except.empty()) return out;
  Set except;
  for (const auto& names : ownable_.except) {
    Path path;
    for (const std::string& name : names) path.push_back(Step::field(name));
    except.insert(path);
  }
  return difference_below(out, except);
}

Result<std::optional<Versioned>> Updater::in_version(const Versioned& object, std::string_view from,
                                                     std::string_view to) const {
  if (from == to) return std::optional(object);
  const auto type = versions_.types.find(to);
  if (type == versions_.types.end()) return std::optional<Versioned>();
  if (!versions_.convert)
    return std::optional<Versioned>({object.object.with("apiVersion", to), &type->second.root()});
  PORTICO_TRY(Value converted, versions_.convert(object.object, to), std::string(to));
  return std::optional<Versioned>({std::move(converted), &type->second.root()});
}

Managers Updater::with_todays_schemas(Managers managers) const {
  std::vector<Manager> changed;
  for (const Manager& manager : managers.all()) {
    const auto found = versions_.types.find(manager.api_version);
    if (found == versions_.types.end()) continue;
    const Type& type = found->second.root();
    if (!is_outdated(manager.fields.written(), type)) continue;
    changed.push_back(manager);
    changed.back().fields = reconciled(manager.fields.set(), type);
  }
  for (Manager& manager : changed) managers.put(std::move(manager));
  return managers;
}

Result<Updater::Updated> Updater::updated(const Versioned& live, const Versioned& wanted,
                                          const Managers& managers, const ManagerId& self,
                                          std::string_view api_version, bool force) const {
  Updated out;
  const auto compare = [this](const Versioned& a, const Versioned& b) {
    Changes found = changes(a.object, b.object, *a.type);
    return Changes{owned(found.removed), owned(found.modified), owned(found.added)};
  };
  std::map<std::string, Changes, std::less<>> by_version;
  by_version.emplace(api_version, compare(live, wanted));
  for (const Manager& manager : managers.all()) {
    if (manager.id == self) {
      out.managers.put(manager);
      continue;
    }
    auto compared = by_version.find(manager.api_version);
    if (compared == by_version.end()) {
      PORTICO_TRY(const auto before, in_version(live, api_version, manager.api_version));
      if (!before) continue;  // a removed version: its owner is dropped
      PORTICO_TRY(const auto after, in_version(wanted, api_version, manager.api_version));
      compared = by_version.emplace(manager.api_version, compare(*before, *after)).first;
    }
    const Changes& found = compared->second;
    const Value& written = manager.fields.written();
    const Set taken = union_of(shared_with_fields(found.modified, written),
                               shared_with_fields(found.added, written));
    if (!force) taken.visit([&](const Path& path) { out.conflicts.push_back({manager.id, path}); });
    const Set lost = union_of(taken, shared_with_fields(found.removed, written));
    Manager left = manager;
    if (!lost.empty()) left.fields = OwnedFields::written_as(fields_without(written, lost));
    out.managers.put(std::move(left));
  }
  out.managers.remove_empty();
  out.changes = std::move(by_version.find(api_version)->second);
  return out;
}

Result<Managers> Updater::update(const Versioned& live, const Versioned& wanted, Managers managers,
                                 const ManagerId& self, std::string_view api_version) const {
  managers = with_todays_schemas(std::move(managers));
  PORTICO_TRY(Updated done, updated(live, wanted, managers, self, api_version, true));
  Set set = union_of(done.changes.modified, done.changes.added);
  if (!set.empty()) done.managers.put({self, std::string(api_version), std::move(set)});
  return std::move(done.managers);
}

Result<Value> Updater::pruned(const Versioned& merged, const Managers& managers,
                              const Manager& last, std::string_view api_version) const {
  const bool one_version = last.api_version == api_version &&
                           std::ranges::all_of(managers.all(), [&](const Manager& manager) {
                             return manager.api_version == api_version;
                           });
  if (one_version) {
    std::vector<const Value*> owners;
    for (const Manager& manager : managers.all()) owners.push_back(&manager.fields.written());
    return without(merged.object, orphans(last.fields.set(), owners, *merged.type), *merged.type);
  }
  PORTICO_TRY(const auto converted, in_version(merged, api_version, last.api_version));
  if (!converted) return merged.object;
  const Versioned& whole = *converted;
  const Set given_up = with_declared(last.fields.set(), *whole.type);

  std::map<std::string, Set> by_version;
  for (const Manager& manager : managers.all()) {
    Set& set = by_version[manager.api_version];
    set = union_of(set, manager.fields.set());
  }
  // First remove everything that the manager had; then, version by version, add back what is owned.
  Versioned full = whole;
  // Null keeps an owned field that is empty now.
  constexpr Emptied kNull = Emptied::kBecomesNull;
  Versioned kept{without(whole.object, given_up, *whole.type, kNull), whole.type};
  std::string version = last.api_version;
  const auto add_back = [&](const std::string& to, const Set& owned_there) -> Result<Done> {
    PORTICO_TRY(const auto full_there, in_version(full, version, to));
    PORTICO_TRY(const auto kept_there, in_version(kept, version, to));
    if (!full_there || !kept_there) return Done{};
    const Type& type = *full_there->type;
    const Set stays = union_of(with_declared(fields_of(kept_there->object, type), type),
                               with_declared(owned_there, type));
    const Set goes = difference(with_declared(fields_of(full_there->object, type), type), stays);
    full = *full_there;
    kept = {without(full.object, goes, type, kNull), &type};
    version = to;
    return Done{};
  };
  if (const auto own = by_version.find(last.api_version); own != by_version.end()) {
    PORTICO_DO(add_back(own->first, own->second));
    by_version.erase(own);
  }
  for (const auto& [to, set] : by_version) PORTICO_DO(add_back(to, set));

  // Only fields that the manager gave up are removed; all others are kept.
  PORTICO_TRY(const auto kept_here, in_version(kept, version, last.api_version));
  if (!kept_here) return merged.object;
  const Set gone =
      difference(with_declared(fields_of(whole.object, *whole.type), *whole.type),
                 with_declared(fields_of(kept_here->object, *whole.type), *whole.type));
  const Set goes = intersection(gone, given_up);
  if (goes.empty()) return merged.object;
  const Versioned rest{without(whole.object, goes, *whole.type), whole.type};
  PORTICO_TRY(auto back, in_version(rest, last.api_version, api_version));
  if (!back) return merged.object;
  return std::move(back->object);
}

Result<Applied> Updater::apply(const Versioned& live, const Versioned& applied, Managers managers,
                               const ManagerId& id, std::string_view api_version, bool force,
                               const Set& never_owned) const {
  managers = with_todays_schemas(std::move(managers));
  Versioned wanted{merged(live.object, applied.object, *live.type), live.type};
  const Manager* last = managers.find(id);
  // A manager that applies the same fields again gives nothing up, and its ownership is unchanged.
  const bool owns_the_same =
      last != nullptr && last->api_version == api_version &&
      says_fields_of(last->fields.written(), applied.object, *applied.type, never_owned);
  if (!owns_the_same) {
    const std::optional<Manager> before = last != nullptr ? std::optional(*last) : std::nullopt;
    const Set set = owned(fields_of(applied.object, *applied.type));
    managers.put({id, std::string(api_version), set, before ? before->time : std::nullopt});
    const bool gives_up = before && (before->api_version != api_version ||
                                     !difference(before->fields.set(), set).empty());
    if (gives_up) {
      PORTICO_TRY(const Value rest, pruned(wanted, managers, *before, api_version));
      // Restore empty values as they were applied: null is not {}.
      wanted.object = merged(rest, applied.object, *live.type);
    }
    managers.put({id, std::string(api_version), difference(set, never_owned),
                  before ? before->time : std::nullopt});
  }
  PORTICO_TRY(Updated done, updated(live, wanted, managers, id, api_version, force));
  const bool changed = !same(live.object, wanted.object);
  return Applied{std::move(done.conflicts), std::move(wanted.object), changed,
                 std::move(done.managers)};
}

}  // namespace portico::fieldset::internal
