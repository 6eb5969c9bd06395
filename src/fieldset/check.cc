// Whether values have the form that their types ask for.
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
  for (const std::string& name : list.keys) {
    if (const Value* given = item.find(name)) {
      keys.push_back({Value(name), *given});
    } else if (const Field* declared = list.items->field(name);
               declared != nullptr && declared->default_value) {
      keys.push_back({Value(name), *declared->default_value});
    }
  }
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

/// Collects what is wrong.
class Checker {
 public:
  void check(const Value& value, const Type& type) {
    switch (internal::form_of(type, &value)) {
      case Form::kMap:
        return check_map(value, type);
      case Form::kList:
        return check_list(value, type);
      case Form::kScalar:
        return check_scalar(value, type);
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
  void refuse(std::string_view why) {
    const std::string place = text_of(path_);
    errors_.push_back(place.empty() ? std::string(why) : fmt::format("{}: {}", place, why));
  }

  void check_map(const Value& value, const Type& type) {
    if (value.is_null()) return;
    if (!value.is_object())
      return refuse(fmt::format("expected map, got &{{{}}}", internal::plain_text(value)));
    for (const json::Member& member : value.members()) {
      path_.push_back(Step::field(member.key));
      const Type* below = type.member(member.name());
      if (below == nullptr)
        refuse("field not declared in schema");
      else
        check(member.value, *below);
      path_.pop_back();
      if (below == nullptr) return;
    }
  }

  void check_list(const Value& value, const Type& type) {
    if (value.is_null()) return;
    if (!value.is_array())
      return refuse(fmt::format("expected list, got &{{{}}}", internal::plain_text(value)));
    std::vector<Step> steps;
    steps.reserve(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      auto step = step_to_item(type, value.items()[i], i);
      if (!step) {
        refuse(fmt::format("element {}: {}", i, step.error().what));
        break;
      }
      steps.push_back(*std::move(step));
    }
    const internal::Index index(steps);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (index.find(steps[i]) != i)
        refuse(fmt::format("duplicate entries for key {}", text_of(steps[i])));
      path_.push_back(steps[i]);
      check(value.items()[i], *type.items);
      path_.pop_back();
    }
  }

  void check_scalar(const Value& value, const Type& type) {
    if (value.is_null()) return;
    if (type.scalar == Type::Scalar::kNumber && !value.is_number())
      refuse("expected numeric (int or float), got " + internal::type_text(value));
    if (type.scalar == Type::Scalar::kString && !value.is_string())
      refuse(fmt::format("expected string, got &value.valueUnstructured{{Value:{}}}",
                         internal::syntax_text(value)));
    if (type.scalar == Type::Scalar::kBoolean && !value.is_bool())
      refuse(fmt::format("expected boolean, got &{{{}}}", internal::plain_text(value)));
  }

  Path path_;
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
  checker.check(value, type);
  return std::move(checker).outcome();
}

}  // namespace portico::fieldset
