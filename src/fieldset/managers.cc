#include "fieldset/managers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/time.h"
#include "json/text.h"

namespace portico::fieldset {
namespace {

using json::Value;

constexpr std::size_t kMaxUpdates = 10;
constexpr const char* kAncient = "ancient-changes";

bool before(const Manager& manager, const ManagerId& id) { return manager.id < id; }

std::int64_t seconds_of(const std::optional<std::string>& time) {
  if (!time) return 0;
  const auto point = parse_rfc3339(*time);
  if (!point) return 0;
  return std::chrono::floor<std::chrono::seconds>(*point).time_since_epoch().count();
}

std::string quoted(std::string_view text) {
  std::string out;
  json::append_quoted(out, text);
  return out;
}

Result<Manager> parse_entry(const Value& entry, bool is_stored) {
  const std::string_view operation = entry["operation"].as_string();
  if (operation != "Apply" && operation != "Update")
    return invalid("invalid operation \"{}\": must be Apply or Update", operation).in("operation");
  const std::string_view version = entry["apiVersion"].as_string();
  if (version.empty()) return invalid("must not be empty").in("apiVersion");
  if (const std::string_view type = entry["fieldsType"].as_string(); type != "FieldsV1")
    return invalid("invalid fieldsType \"{}\": must be FieldsV1", type).in("fieldsType");
  Manager manager;
  manager.id = {.manager = std::string(entry["manager"].as_string()),
                .applies = operation == "Apply",
                .api_version = operation == "Apply" ? std::string() : std::string(version),
                .subresource = std::string(entry["subresource"].as_string())};
  manager.api_version = version;
  if (entry["time"].is_string()) manager.time = entry["time"].as_string();
  const Value& fields = entry["fieldsV1"];
  if (fields.is_null()) return manager;
  if (is_stored) {
    manager.fields = OwnedFields::written_as(fields);
  } else {
    PORTICO_TRY(manager.fields, parse_fields(fields), "fieldsV1");
  }
  return manager;
}

Result<Managers> parse_entries(const Value& managed_fields, bool are_stored) {
  Managers managers;
  for (std::size_t i = 0; i < managed_fields.items().size(); ++i) {
    PORTICO_TRY(Manager manager, parse_entry(managed_fields.items()[i], are_stored),
                fmt::format("managedFields[{}]", i));
    managers.put(std::move(manager));
  }
  return managers;
}

Value to_value(const Manager& manager) {
  std::vector<json::Member> members = {
      {"apiVersion", manager.api_version},
      {"fieldsType", "FieldsV1"},
      {"fieldsV1", manager.fields.written()},
      {"operation", manager.id.applies ? "Apply" : "Update"},
  };
  if (!manager.id.manager.empty()) members.push_back({"manager", manager.id.manager});
  if (!manager.id.subresource.empty()) members.push_back({"subresource", manager.id.subresource});
  if (manager.time) members.push_back({"time", *manager.time});
  return Value::object(std::move(members));
}

}  // namespace

std::string ManagerId::text() const {
  std::string out = quoted(manager);
  if (!subresource.empty()) out += " with subresource " + quoted(subresource);
  if (!applies) out += " using " + api_version;
  return out;
}

Manager* Managers::find(const ManagerId& id) {
  const auto at = std::lower_bound(all_.begin(), all_.end(), id, before);
  return at == all_.end() || at->id != id ? nullptr : &*at;
}

const Manager* Managers::find(const ManagerId& id) const {
  return const_cast<Managers*>(this)->find(id);
}

void Managers::put(Manager manager) {
  const auto at = std::lower_bound(all_.begin(), all_.end(), manager.id, before);
  if (at != all_.end() && at->id == manager.id)
    *at = std::move(manager);
  else
    all_.insert(at, std::move(manager));
}

void Managers::remove(const ManagerId& id) {
  std::erase_if(all_, [&id](const Manager& one) { return one.id == id; });
}

void Managers::remove_empty() {
  std::erase_if(all_, [](const Manager& one) { return one.fields.empty(); });
}

OwnedFields OwnedFields::written_as(Value fields) {
  OwnedFields out;
  out.set_.reset();
  out.written_ = std::move(fields);
  return out;
}

const Set& OwnedFields::set() const {
  if (!set_) {
    auto read = parse_fields(*written_);
    set_ = read ? *std::move(read) : Set();
  }
  return *set_;
}

const Value& OwnedFields::written() const {
  if (!written_) written_ = to_fields(*set_);
  return *written_;
}

Result<Managers> parse_managers(const Value& managed_fields) {
  return parse_entries(managed_fields, false);
}

Result<Managers> stored_managers(const Value& managed_fields) {
  return parse_entries(managed_fields, true);
}

Value to_value(const Managers& managers) {
  if (managers.empty()) return {};
  std::vector<const Manager*> sorted;
  for (const Manager& manager : managers.all()) sorted.push_back(&manager);
  std::sort(sorted.begin(), sorted.end(), [](const Manager* a, const Manager* b) {
    const auto key = [](const Manager& one) {
      return std::tuple(!one.id.applies, seconds_of(one.time), std::string_view(one.id.manager),
                        std::string_view(one.api_version), std::string_view(one.id.subresource));
    };
    return key(*a) < key(*b);
  });
  std::vector<Value> entries;
  for (const Manager* manager : sorted) entries.push_back(to_value(*manager));
  return Value::array(std::move(entries));
}

void cap_updates(Managers& managers) {
  std::vector<Manager> updates;
  for (const Manager& manager : managers.all())
    if (!manager.id.applies) updates.push_back(manager);
  std::size_t left = updates.size();
  if (left <= kMaxUpdates) return;
  std::stable_sort(updates.begin(), updates.end(), [](const Manager& a, const Manager& b) {
    return seconds_of(a.time) < seconds_of(b.time);
  });
  std::map<std::string, ManagerId> first_of_version;
  for (std::size_t i = 0; i < updates.size() && left > kMaxUpdates; ++i) {
    const Manager& manager = updates[i];
    const auto [first, is_first] = first_of_version.try_emplace(manager.api_version, manager.id);
    if (is_first) continue;  // a single one needs no bucket
    Manager bucket;
    bucket.id = {.manager = kAncient, .applies = false, .api_version = manager.api_version};
    bucket.api_version = manager.api_version;
    // The first manager of a version moves into the bucket when there is a second one.
    const Manager* held = managers.find(bucket.id);
    if (held == nullptr) held = managers.find(first->second);
    bucket.fields = union_of(held->fields.set(), manager.fields.set());
    bucket.time = manager.time;
    if (managers.find(bucket.id) == nullptr) managers.remove(first->second);
    managers.remove(manager.id);
    managers.put(std::move(bucket));
    --left;
  }
}

}  // namespace portico::fieldset
