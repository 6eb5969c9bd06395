#include "krm/internal/plan.h"

namespace portico::krm {
namespace {

/// The value at a path, or nullptr.
const json::Value* find_value(const json::Value& value, const Path& path) {
  const json::Value* at = &value;
  for (const Step& step : path) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      at = at->find(*name);
      if (at == nullptr) return nullptr;
    } else {
      const std::size_t index = std::get<std::size_t>(step);
      if (!at->is_array() || index >= at->size()) return nullptr;
      at = &(*at)[index];
    }
  }
  return at;
}

std::string_view last_name(const Path& path) {
  const auto* name = path.empty() ? nullptr : std::get_if<std::string>(&path.back());
  return name == nullptr ? std::string_view() : *name;
}

const char* type_name(const json::Value& value) {
  if (value.is_object()) return "a map";
  if (value.is_array()) return "a list";
  return value.is_null() ? "nothing" : "a scalar";
}

/// Adds one edit to the tree. `value` is the current value at the path, or nullptr if there is
/// none.
Result<Done> add(Plan& plan, const json::Value* value, const Edit& edit, std::size_t depth) {
  const auto contradicts = [&] {
    return invalid("two edits contradict each other").in(path_text(edit.path));
  };
  if (value != nullptr && value->is_null()) value = nullptr;
  if (depth == edit.path.size()) {
    if (edit.verb == Edit::Verb::kRename) {
      if (plan.here != nullptr || plan.rename != nullptr) return contradicts();
      plan.rename = &edit;
      return Done{};
    }
    if (plan.here != nullptr || plan.rename != nullptr || plan.is_deep()) return contradicts();
    plan.here = &edit;
    return Done{};
  }
  if (plan.here != nullptr) return contradicts();
  const Path above(edit.path.begin(), edit.path.begin() + static_cast<std::ptrdiff_t>(depth));
  const bool last = depth + 1 == edit.path.size();

  if (const auto* name = std::get_if<std::string>(&edit.path[depth])) {
    if (value != nullptr && !value->is_object())
      return invalid("is {}, so it has no member \"{}\"", type_name(*value), *name)
          .in(path_text(above));
    if (!plan.items.empty() || !plan.inserts.empty()) return contradicts();
    if (edit.verb == Edit::Verb::kInsert && last)
      return invalid("an insertion needs a list index").in(path_text(edit.path));
    const auto [member, added] = plan.members.try_emplace(*name);
    if (added) plan.order.push_back(*name);
    return add(member->second, value == nullptr ? nullptr : value->find(*name), edit, depth + 1);
  }

  const std::size_t index = std::get<std::size_t>(edit.path[depth]);
  const std::size_t size = value == nullptr ? 0 : value->size();
  if (value != nullptr && !value->is_array())
    return invalid("is {}, so it has no item {}", type_name(*value), index).in(path_text(above));
  if (!plan.members.empty()) return contradicts();
  if (index > size)
    return invalid("has {} items, so item {} cannot be added", size, index).in(path_text(above));
  if (last &&
      (edit.verb == Edit::Verb::kInsert || (edit.verb == Edit::Verb::kSet && index == size))) {
    plan.inserts[index].push_back(&edit);
    return Done{};
  }
  const json::Value* item = index < size ? &(*value)[index] : nullptr;
  return add(plan.items[index], item, edit, depth + 1);
}

/// Whether the path exists: removing or renaming a missing node is a no-op.
bool has_effect(const json::Value& value, const Edit& edit) {
  if (edit.verb == Edit::Verb::kRename && edit.value.as_string() == last_name(edit.path))
    return false;
  const bool needs_node = edit.verb == Edit::Verb::kRemove || edit.verb == Edit::Verb::kRename;
  return !needs_node || find_value(value, edit.path) != nullptr;
}

/// A new name must be free both before and after all edits.
Result<Done> check_rename(const json::Value& value, const Edit& edit,
                          const std::vector<Edit>& edits) {
  Path path = edit.path;
  const auto* name = path.empty() ? nullptr : std::get_if<std::string>(&path.back());
  if (name == nullptr || !edit.value.is_string())
    return invalid("only a member of a map can be renamed, and to a string")
        .in(path_text(edit.path));
  path.back() = std::string(edit.value.as_string());
  bool taken = find_value(value, path) != nullptr;
  for (const Edit& other : edits) {
    if (&other == &edit) continue;
    taken |= other.path.size() >= path.size() &&
             std::equal(path.begin(), path.end(), other.path.begin());
    if (other.verb == Edit::Verb::kRename && other.path.size() == path.size())
      taken |= std::equal(path.begin(), path.end() - 1, other.path.begin()) &&
               other.value.as_string() == edit.value.as_string();
  }
  if (taken)
    return invalid("\"{}\" already exists", edit.value.as_string()).in(path_text(edit.path));
  return Done{};
}

json::Value planned_at(const json::Value* value, const Plan& plan) {
  if (plan.here != nullptr) return new_value(*plan.here);
  if (!plan.members.empty()) {
    json::Value out = value != nullptr && value->is_object() ? *value : json::Value::object();
    for (const auto& [name, member] : plan.members) {
      if (member.removes()) {
        out = out.without(name);
      } else {
        const json::Value* old = out.find(name);
        json::Value changed = planned_at(old, member);
        if (member.rename != nullptr) {
          out = out.without(name);
          out = out.with(std::string(member.rename->value.as_string()), std::move(changed));
        } else {
          out = out.with(name, std::move(changed));
        }
      }
    }
    return out;
  }
  if (!plan.items.empty() || !plan.inserts.empty()) {
    std::vector<json::Value> items;
    const std::size_t size = value == nullptr ? 0 : value->size();
    for (std::size_t i = 0; i <= size; ++i) {
      if (const auto inserts = plan.inserts.find(i); inserts != plan.inserts.end())
        for (const Edit* edit : inserts->second) items.push_back(new_value(*edit));
      const auto item = plan.items.find(i);
      if (item == plan.items.end()) {
        if (i < size) items.push_back((*value)[i]);
      } else if (!item->second.removes()) {
        items.push_back(planned_at(i < size ? &(*value)[i] : nullptr, item->second));
      }
    }
    return json::Value::array(std::move(items));
  }
  return value == nullptr ? json::Value() : *value;
}

}  // namespace

Result<Plan> make_plan(const json::Value& value, const std::vector<Edit>& edits) {
  Plan plan;
  for (const Edit& edit : edits) {
    if (edit.from != nullptr && find_value(edit.from->value(), edit.from_path) == nullptr)
      return invalid("field not found in the object to copy from").in(path_text(edit.from_path));
    if (edit.path.empty() && edit.verb != Edit::Verb::kSet)
      return invalid("an object as a whole can be set, not removed or inserted");
    if (!has_effect(value, edit)) continue;
    if (edit.verb == Edit::Verb::kRename) PORTICO_DO(check_rename(value, edit, edits));
    PORTICO_DO(add(plan, &value, edit, 0));
  }
  return plan;
}

json::Value planned(const json::Value& value, const Plan& plan) { return planned_at(&value, plan); }

json::Value new_value(const Edit& edit) {
  if (edit.from == nullptr) return edit.value;
  const json::Value* found = find_value(edit.from->value(), edit.from_path);
  return found == nullptr ? json::Value() : *found;
}

}  // namespace portico::krm
