#include <algorithm>

#include "json/text.h"
#include "patch/patch.h"

namespace portico::patch {
namespace {

using json::Member;
using json::Value;

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kOrder = "$setElementOrder/";
constexpr std::string_view kDelete = "$deleteFromPrimitiveList/";

constexpr MergedList kMetadata[] = {{"metadata.ownerReferences", "uid"},
                                    {"metadata.finalizers", ""}};
constexpr MergedList kServiceAccount[] = {
    {"metadata.ownerReferences", "uid"}, {"metadata.finalizers", ""}, {"secrets", "name"}};
constexpr MergedList kConditions[] = {{"metadata.ownerReferences", "uid"},
                                      {"metadata.finalizers", ""},
                                      {"status.conditions", "type"}};

Error refuse(std::string_view what) { return invalid("{}", what).because(Reason::kBadRequest); }

bool contains(const std::vector<Value>& values, const Value& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

std::vector<Value> items_of(const Value& list) {
  return {list.items().begin(), list.items().end()};
}

class Merge {
 public:
  explicit Merge(std::span<const MergedList> lists) : lists_(lists) {}

  Result<Value> map(const Value& target, const Value& patch, const std::string& path);

 private:
  Result<Value> member(const Value& out, const Member& member, const Value& patch,
                       const std::string& path);
  Result<Value> list(const Value& target, const Value& patch, const Value& order,
                     const MergedList& list);
  Result<Value> maps(const Value& target, const Value& patch, const Value& order,
                     const MergedList& list);
  static Value scalars(const Value& target, const Value& patch, const Value& order);

  const MergedList* find(std::string_view path) const {
    const auto found = std::find_if(lists_.begin(), lists_.end(),
                                    [&](const MergedList& each) { return each.path == path; });
    return found == lists_.end() ? nullptr : &*found;
  }

  std::span<const MergedList> lists_;
};

/// Removes directives and null members at any depth: for values that have no counterpart in the
/// target.
Value plain(const Value& patch) {
  if (patch.is_array()) {
    std::vector<Value> items;
    for (const Value& item : patch.items())
      if (item[kDirective].is_null()) items.push_back(plain(item));
    return Value::array(std::move(items));
  }
  if (!patch.is_object()) return patch;
  std::vector<Member> members;
  for (const Member& member : patch.members())
    if (!member.name().starts_with('$') && !member.value.is_null())
      members.push_back({member.key, plain(member.value)});
  return Value::object(std::move(members));
}

/// Combines `changed` (items named by the patch) and `kept` (items only in the target) into one
/// list. Both keep their order; between items that the target had, the target's order applies.
std::vector<Value> interleaved(const std::vector<Value>& kept, const std::vector<Value>& changed,
                               const std::vector<Value>& keys_before,
                               Value (*key_of)(const Value&, std::string_view),
                               std::string_view key) {
  const auto place = [&](const Value& item) {
    return std::find(keys_before.begin(), keys_before.end(), key_of(item, key)) -
           keys_before.begin();
  };
  const auto known = static_cast<std::ptrdiff_t>(keys_before.size());
  std::vector<Value> out;
  std::size_t i = 0, j = 0;
  while (i < kept.size() || j < changed.size()) {
    bool take_kept = j == changed.size();
    if (!take_kept && i < kept.size()) {
      const auto a = place(kept[i]), b = place(changed[j]);
      take_kept = a < known && b < known && a < b;
    }
    out.push_back(take_kept ? kept[i++] : changed[j++]);
  }
  return out;
}

Value item_itself(const Value& item, std::string_view) { return item; }
Value item_key(const Value& item, std::string_view key) { return item[key]; }

/// Moves the items that `order` names to the front, in its order; a no-op if `order` is empty.
void put_in_order(std::vector<Value>& items, const std::vector<Value>& order,
                  Value (*key_of)(const Value&, std::string_view), std::string_view key) {
  if (order.empty()) return;
  const auto place = [&](const Value& item) {
    return std::find(order.begin(), order.end(), key_of(item, key));
  };
  std::stable_sort(items.begin(), items.end(),
                   [&](const Value& a, const Value& b) { return place(a) < place(b); });
}

Value Merge::scalars(const Value& target, const Value& patch, const Value& order) {
  const std::vector<Value> before = items_of(target), wanted = items_of(order);
  std::vector<Value> changed, kept;
  for (const Value& item : patch.items())
    if (!contains(changed, item)) changed.push_back(item);
  for (const Value& item : before) {
    if (contains(changed, item)) continue;
    (contains(wanted, item) ? changed : kept).push_back(item);
  }
  put_in_order(changed, wanted, item_itself, "");
  return Value::array(interleaved(kept, changed, before, item_itself, ""));
}

Result<Value> Merge::maps(const Value& target, const Value& patch, const Value& order,
                          const MergedList& list) {
  std::vector<Value> items = items_of(target), named, before, wanted;
  for (const Value& item : items) before.push_back(item[list.key]);
  for (const Value& item : order.items()) wanted.push_back(item[list.key]);
  const bool replace =
      std::any_of(patch.items().begin(), patch.items().end(),
                  [](const Value& item) { return item[kDirective].as_string() == "replace"; });
  if (replace) return plain(patch);
  for (const Value& item : patch.items()) {
    const Value* key = item.find(list.key);
    if (key == nullptr)
      return refuse(fmt::format("map: {} does not contain declared merge key: {}",
                                json::print(item), list.key));
    const auto same = std::find_if(items.begin(), items.end(),
                                   [&](const Value& each) { return each[list.key] == *key; });
    const std::string_view directive = item[kDirective].as_string();
    if (directive == "delete") {
      std::erase_if(items, [&](const Value& each) { return each[list.key] == *key; });
      continue;
    }
    if (!directive.empty() && directive != "merge")
      return refuse(fmt::format("delete patch type with no merge key defined: {}", directive));
    named.push_back(*key);
    if (same == items.end()) {
      items.push_back(plain(item));
    } else {
      PORTICO_TRY(*same, map(*same, item, std::string(list.path) + "[]"));
    }
  }
  std::vector<Value> changed, kept;
  for (const Value& item : items)
    (contains(named, item[list.key]) || contains(wanted, item[list.key]) ? changed : kept)
        .push_back(item);
  put_in_order(changed, wanted.empty() ? named : wanted, item_key, list.key);
  return Value::array(interleaved(kept, changed, before, item_key, list.key));
}

Result<Value> Merge::list(const Value& target, const Value& patch, const Value& order,
                          const MergedList& list) {
  if (list.key.empty()) return scalars(target, patch, order);
  return maps(target, patch, order, list);
}

Result<Value> Merge::member(const Value& out, const Member& member, const Value& patch,
                            const std::string& path) {
  const std::string_view name = member.name();
  const std::string below = path.empty() ? std::string(name) : path + "." + std::string(name);
  const Value* before = out.find(name);
  if (member.value.is_null()) return out.without(name);
  if (member.value.is_object()) {
    if (before == nullptr || !before->is_object()) {
      if (member.value[kDirective].as_string() == "delete") return out.without(name);
      return out.with(name, plain(member.value));
    }
    PORTICO_TRY(Value merged, map(*before, member.value, below));
    return out.with(name, std::move(merged));
  }
  const MergedList* known = member.value.is_array() ? find(below) : nullptr;
  if (known == nullptr) return out.with(name, plain(member.value));
  const Value none = Value::array();
  PORTICO_TRY(Value merged,
              list(before != nullptr && before->is_array() ? *before : none, member.value,
                   patch[std::string(kOrder) + std::string(name)], *known));
  return out.with(name, std::move(merged));
}

Result<Value> Merge::map(const Value& target, const Value& patch, const std::string& path) {
  if (const Value* directive = patch.find(kDirective)) {
    const std::string_view what = directive->as_string();
    if (what == "replace") return plain(patch);
    if (what == "delete") return Value::object();
    if (what != "merge")
      return refuse(fmt::format("unknown patch type found: {}", json::print(*directive)));
  }
  Value out = target;
  if (const Value* retained = patch.find(kRetainKeys)) {
    if (!retained->is_array()) return refuse("invalid patch format of retainKeys");
    const std::vector<Value> keys = items_of(*retained);
    for (const Member& member : patch.members())
      if (!member.name().starts_with('$') && !member.value.is_null() && !contains(keys, member.key))
        return refuse("invalid patch format of retainKeys");
    for (const Member& member : target.members())
      if (!contains(keys, member.key)) out = out.without(member.name());
  }
  for (const Member& member : patch.members()) {
    const std::string_view name = member.name();
    if (name.starts_with(kDelete)) {
      const std::string_view list = name.substr(kDelete.size());
      const std::vector<Value> gone = items_of(member.value);
      std::vector<Value> items = items_of(out[list]);
      std::erase_if(items, [&](const Value& item) { return contains(gone, item); });
      if (out[list].is_array()) out = out.with(list, Value::array(std::move(items)));
    } else if (name.starts_with(kOrder)) {
      const std::string_view list = name.substr(kOrder.size());
      if (patch.contains(list) || !out[list].is_array()) continue;
      // Only the order changes.
      PORTICO_TRY(out, this->member(out, Member{Value(list), Value::array()}, patch, path));
    } else if (name != kDirective && name != kRetainKeys) {
      PORTICO_TRY(out, this->member(out, member, patch, path));
    }
  }
  return out;
}

}  // namespace

std::span<const MergedList> merged_lists(std::string_view group, std::string_view kind) {
  if (group.empty() && kind == "ServiceAccount") return kServiceAccount;
  if (group.empty() && kind == "Namespace") return kConditions;
  return kMetadata;
}

Result<Value> apply_strategic_patch(const Value& target, const Value& patch,
                                    std::span<const MergedList> lists) {
  return Merge(lists).map(target, patch, "");
}

}  // namespace portico::patch
