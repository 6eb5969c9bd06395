// Checks values against their types.
#include <fmt/format.h>

#include "fieldset/internal/form.h"
#include "fieldset/internal/go_text.h"
#include "fieldset/typed.h"
#include "json/text.h"

namespace portico::fieldset {
namespace {

using internal::Form;
using json::Value;

std::string quoted_list(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    if (!out.empty()) out += " ";
    json::append_quoted(out, text);
  }
  return "[" + out + "]";
}

Result<Step> step_by_keys(const Type& list, const Value& item) {
  if (item.is_null()) return invalid("associative list with keys may not have a null element");
  if (!item.is_object()) return invalid("associative list with keys may not have non-map elements");
  std::vector<json::Member> keys;
  keys.reserve(list.keys.size());
  for (const std::string& name : list.keys)
    if (const Value* value = internal::key_of_item(list, item, name))
      keys.push_back({Value(name), *value});
  if (keys.empty())
    return invalid(
        "associative list with keys has an element that omits all key fields {} (and doesn't have "
        "default values for any key fields)",
        quoted_list(list.keys));
  return Step{Step::Kind::kKeys, Value::object(std::move(keys))};
}

Result<Step> step_by_value(const Value& item) {
  if (item.is_object())
    return invalid("associative list without keys has an element that's a map type");
  if (item.is_array()) return invalid("not supported: associative list with lists as elements");
  if (item.is_null())
    return invalid("associative list without keys has an element that's an explicit null");
  return Step{Step::Kind::kItem, item};
}

/// The place of a value; its text is built only for an error.
struct Place {
  const Place* above = nullptr;
  const Value* name = nullptr;  // of a member
  const Type* list = nullptr;   // otherwise: of an item
  const Value* item = nullptr;
  std::size_t index = 0;
};

std::string text_of(const Place* place) {
  std::string out;
  for (; place != nullptr && place->above != nullptr; place = place->above) {
    if (place->name != nullptr) {
      out.insert(0, text_of(Step::field(*place->name)));
    } else if (const auto step = step_to_item(*place->list, *place->item, place->index)) {
      out.insert(0, text_of(*step));
    }
  }
  return out;
}

/// Collects the errors.
class Checker {
 public:
  void check(const Value& value, const Type& type, const Place& place) {
    switch (internal::form_of(type, &value)) {
      case Form::kMap:
        return check_map(value, type, place);
      case Form::kList:
        return check_list(value, type, place);
      case Form::kScalar:
        return check_scalar(value, type, place);
    }
  }

  Result<Done> outcome() && {
    if (errors_.empty()) return Done{};
    if (errors_.size() == 1) return invalid("{}", errors_.front());
    std::string text = "errors:";
    for (const std::string& error : errors_) text += "\n  " + error;
    return invalid("{}", text);
  }

 private:
  void refuse(const Place& at, std::string_view why) {
    const std::string place = text_of(&at);
    errors_.push_back(place.empty() ? std::string(why) : fmt::format("{}: {}", place, why));
  }

  void check_map(const Value& value, const Type& type, const Place& place) {
    if (value.is_null()) return;
    if (!value.is_object())
      return refuse(place, fmt::format("expected map, got &{{{}}}", internal::plain_text(value)));
    internal::Declared declared(type);
    for (const json::Member& member : value.members()) {
      const Field* field = declared.find(member.name());
      const Type* below = field != nullptr ? field->type : type.additional;
      const Place there{.above = &place, .name = &member.key};
      if (below == nullptr) return refuse(there, "field not declared in schema");
      check(member.value, *below, there);
    }
  }

  void check_list(const Value& value, const Type& type, const Place& place) {
    if (value.is_null()) return;
    if (!value.is_array())
      return refuse(place, fmt::format("expected list, got &{{{}}}", internal::plain_text(value)));
    const std::span<const Value> items = value.items();
    std::size_t known = 0;
    for (; known < items.size() && type.list != Type::List::kAtomic; ++known) {
      if (is_known(type, items[known])) continue;
      refuse(place, fmt::format("element {}: {}", known,
                                step_to_item(type, items[known], known).error().what));
      break;
    }
    if (type.list == Type::List::kAtomic) known = items.size();
    const std::vector<bool> repeated = repeats(type, items.first(known));
    for (std::size_t i = 0; i < known; ++i) {
      if (!repeated.empty() && repeated[i])
        refuse(place, fmt::format("duplicate entries for key {}",
                                  text_of(*step_to_item(type, items[i], i))));
      check(items[i], *type.items,
            {.above = &place, .name = nullptr, .list = &type, .item = &items[i], .index = i});
    }
  }

  /// Whether the item can be identified by a step.
  static bool is_known(const Type& type, const Value& item) {
    if (type.list == Type::List::kSet)
      return item.is_string() || item.is_number() || item.is_bool();
    if (!item.is_object()) return false;
    for (const std::string& key : type.keys)
      if (internal::key_of_item(type, item, key) != nullptr) return true;
    return false;
  }

  /// Marks items that duplicate an earlier one; empty if there are none.
  static std::vector<bool> repeats(const Type& type, std::span<const Value> items) {
    constexpr std::size_t kFew = 12;  // up to this size, comparing pairs is faster than sorting
    std::vector<bool> out;
    if (type.list == Type::List::kAtomic || items.size() < 2) return out;
    const auto note = [&](std::size_t i) {
      out.resize(items.size());
      out[i] = true;
    };
    if (items.size() <= kFew) {
      const std::size_t width = type.list == Type::List::kSet ? 1 : type.keys.size();
      std::vector<const Value*> keys;
      keys.reserve(width * items.size());
      for (const Value& item : items) {
        if (type.list == Type::List::kSet) keys.push_back(&item);
        for (const std::string& key : type.keys)
          keys.push_back(internal::key_of_item(type, item, key));
      }
      const auto are_same = [&](std::size_t i, std::size_t j) {
        for (std::size_t k = 0; k < width; ++k) {
          const Value *x = keys[i * width + k], *y = keys[j * width + k];
          if (x != y && (x == nullptr || y == nullptr || !same(*x, *y))) return false;
        }
        return true;
      };
      for (std::size_t i = 1; i < items.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (are_same(i, j)) note(i);
      return out;
    }
    std::vector<Step> steps;
    steps.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      steps.push_back(*step_to_item(type, items[i], i));
    const internal::Index index(steps);
    for (std::size_t i = 0; i < items.size(); ++i)
      if (index.find(steps[i]) != i) note(i);
    return out;
  }

  void check_scalar(const Value& value, const Type& type, const Place& place) {
    if (value.is_null()) return;
    if (type.scalar == Type::Scalar::kNumber && !value.is_number())
      refuse(place, "expected numeric (int or float), got " + internal::type_text(value));
    if (type.scalar == Type::Scalar::kString && !value.is_string())
      refuse(place, fmt::format("expected string, got &value.valueUnstructured{{Value:{}}}",
                                internal::syntax_text(value)));
    if (type.scalar == Type::Scalar::kBoolean && !value.is_bool())
      refuse(place, fmt::format("expected boolean, got &{{{}}}", internal::plain_text(value)));
  }

  std::vector<std::string> errors_;
};

}  // namespace

Result<Step> step_to_item(const Type& list, const Value& item, std::size_t index) {
  if (list.list == Type::List::kKeyed) return step_by_keys(list, item);
  if (list.list == Type::List::kSet) return step_by_value(item);
  return Step{Step::Kind::kIndex, Value(static_cast<std::int64_t>(index))};
}

Result<Done> check(const Value& value, const Type& type) {
  Checker checker;
  checker.check(value, type, {});
  return std::move(checker).outcome();
}

}  // namespace portico::fieldset
