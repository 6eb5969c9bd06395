// Selects the form (map, list or scalar) of a type for a value.
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "fieldset/typed.h"

namespace portico::fieldset::internal {

enum class Form : std::uint8_t { kMap, kList, kScalar };

/// The value's own form if the type has it. For null, a missing value or a mismatch, the first form
/// of the type: map, then scalar, then list.
inline Form form_of(const Type& type, const json::Value* value) {
  if (value != nullptr) {
    if (value->is_object() && type.is_map) return Form::kMap;
    if (value->is_array() && type.list != Type::List::kNone) return Form::kList;
    if ((value->is_string() || value->is_number() || value->is_bool()) &&
        type.scalar != Type::Scalar::kNone)
      return Form::kScalar;
  }
  if (type.is_map) return Form::kMap;
  return type.scalar != Type::Scalar::kNone ? Form::kScalar : Form::kList;
}

/// The type of a member; the free type for an undeclared one.
inline const Type& member_type(const Type& map, std::string_view name) {
  const Type* type = map.member(name);
  return type != nullptr ? *type : free_type();
}

/// Finds the declared members of a map; names must be queried in ascending order.
class Declared {
 public:
  explicit Declared(const Type& map) : fields_(map.fields) {}

  const Field* find(std::string_view name) {
    while (at_ < fields_.size() && fields_[at_].name < name) ++at_;
    return at_ < fields_.size() && fields_[at_].name == name ? &fields_[at_] : nullptr;
  }

 private:
  const std::vector<Field>& fields_;
  std::size_t at_ = 0;
};

/// The value of an item's key: as given, or its default; nullptr if it has neither.
inline const json::Value* key_of_item(const Type& list, const json::Value& item,
                                      std::string_view key) {
  if (const json::Value* given = item.find(key)) return given;
  const Field* declared = list.items->field(key);
  return declared != nullptr && declared->default_value ? &*declared->default_value : nullptr;
}

/// Whether two items have the same step.
inline bool same_item(const Type& list, const json::Value& a, const json::Value& b) {
  if (list.list != Type::List::kKeyed) return same(a, b);
  bool any = false;
  for (const std::string& key : list.keys) {
    const json::Value *x = key_of_item(list, a, key), *y = key_of_item(list, b, key);
    if ((x == nullptr) != (y == nullptr) || (x != nullptr && !same(*x, *y))) return false;
    any |= x != nullptr;
  }
  return any;
}

/// Whether two lists have items with the same steps in the same order.
inline bool same_items(const Type& list, const json::Value& a, const json::Value& b) {
  if (a.size() != b.size() || !a.is_array() || !b.is_array()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_item(list, a.items()[i], b.items()[i])) return false;
  return true;
}

/// The steps of a list's items, in order. Items without a step, which valid lists do not have, get
/// their index.
inline std::vector<Step> steps_of(const Type& list, const json::Value& value) {
  std::vector<Step> steps;
  steps.reserve(value.size());
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    auto step = step_to_item(list, value.items()[i], i);
    steps.push_back(step ? *std::move(step)
                         : Step{Step::Kind::kIndex, json::Value(static_cast<std::int64_t>(i))});
  }
  return steps;
}

/// Finds items by their steps; of equal ones the first.
class Index {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  explicit Index(const std::vector<Step>& steps) : steps_(steps) {
    order_.resize(steps.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::size_t a, std::size_t b) { return steps_[a] < steps_[b]; });
  }

  std::size_t find(const Step& step) const {
    const auto at = std::lower_bound(
        order_.begin(), order_.end(), step,
        [this](std::size_t item, const Step& wanted) { return steps_[item] < wanted; });
    return at == order_.end() || steps_[*at] != step ? kNone : *at;
  }
  /// Whether another item has the same step.
  bool is_repeated(std::size_t item) const {
    const auto range =
        std::equal_range(order_.begin(), order_.end(), item,
                         [this](std::size_t a, std::size_t b) { return steps_[a] < steps_[b]; });
    return range.second - range.first > 1;
  }
  /// The item positions, ordered by step.
  const std::vector<std::size_t>& sorted() const { return order_; }

 private:
  const std::vector<Step>& steps_;
  std::vector<std::size_t> order_;
};

}  // namespace portico::fieldset::internal
