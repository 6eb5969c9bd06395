// From values to the fields that they set, and from fields to what they leave of a value.
#include "fieldset/internal/form.h"
#include "fieldset/typed.h"

namespace portico::fieldset {
namespace {

using internal::Form;
using internal::member_type;
using json::Value;

/// Whether `value` itself is a field, and those below it.
struct Fields {
  bool is_member = false;
  Set below = {};
};

Fields fields(const Value& value, const Type& type);

Set members_of(const Value& map, const Type& type) {
  Set out;
  for (const json::Member& member : map.members()) {
    const Field* declared = type.field(member.name());
    const Type& below = declared != nullptr ? *declared->type : member_type(type, member.name());
    Fields own = fields(member.value, below);
    const bool is_blank =
        member.value.is_null() || (member.value.is_object() && member.value.empty());
    out.append(Step::field(member.key), own.is_member || is_blank || declared == nullptr,
               std::move(own.below));
  }
  return out;
}

Set items_of(const Value& list, const Type& type) {
  std::vector<Step> steps = internal::steps_of(type, list);
  const internal::Index index(steps);
  std::vector<Node> nodes;
  nodes.reserve(steps.size());
  for (const std::size_t i : index.sorted()) {
    // What is there twice cannot be told apart below.
    Set below = index.is_repeated(i) ? Set() : fields(list.items()[i], *type.items).below;
    nodes.push_back({steps[i], true, std::move(below)});
  }
  return Set::of(std::move(nodes));
}

Fields fields(const Value& value, const Type& type) {
  switch (internal::form_of(type, &value)) {
    case Form::kScalar:
      return {.is_member = true};
    case Form::kMap:
      if (type.is_atomic_map) return {.is_member = true};
      return {.is_member = false, .below = members_of(value, type)};
    case Form::kList:
      if (type.list == Type::List::kAtomic) return {.is_member = true};
      return {.is_member = false, .below = items_of(value, type)};
  }
  return {};
}

/// The type of what a step leads to.
const Type& below(const Type& type, const Step& step) {
  if (step.kind == Step::Kind::kField)
    return type.is_map ? member_type(type, step.value.as_string()) : free_type();
  return type.list != Type::List::kNone ? *type.items : free_type();
}

}  // namespace

Set fields_of(const Value& value, const Type& type) { return fields(value, type).below; }

Set with_declared(const Set& set, const Type& type) {
  Set out;
  for (const Node& node : set.nodes()) {
    const bool is_declared = !node.below.empty() && node.step.kind == Step::Kind::kField &&
                             type.field(node.step.value.as_string()) != nullptr;
    out.append(node.step, node.is_member || is_declared,
               with_declared(node.below, below(type, node.step)));
  }
  return out;
}

Set reconciled(const Set& set, const Type& type) {
  if (&type == &free_type()) return set;
  Set out;
  for (const Node& node : set.nodes()) {
    const Type& own = below(type, node.step);
    const bool is_atomic = own.is_map ? own.is_atomic_map : own.list == Type::List::kAtomic;
    if (is_atomic && !node.below.empty())
      out.append(node.step, true, {});
    else
      out.append(node.step, node.is_member, reconciled(node.below, own));
  }
  return out;
}

Value without(const Value& value, const Set& set, const Type& type, Emptied emptied) {
  if (set.empty()) return value;
  const bool to_null = emptied == Emptied::kBecomesNull;
  const Form form = internal::form_of(type, &value);
  if (form == Form::kList && value.is_array() && type.list != Type::List::kAtomic) {
    const std::vector<Step> steps = internal::steps_of(type, value);
    std::vector<Value> kept;
    kept.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Value& item = value.items()[i];
      const Node* node = set.find(steps[i]);
      if (node != nullptr && node->is_member) continue;
      kept.push_back(node == nullptr ? item : without(item, node->below, *type.items, emptied));
    }
    return kept.empty() && to_null ? Value() : Value::array(std::move(kept));
  }
  if (form == Form::kMap && value.is_object() && !type.is_atomic_map) {
    std::vector<json::Member> kept;
    kept.reserve(value.size());
    for (const json::Member& member : value.members()) {
      const Node* node = set.find(Step::field(member.key));
      if (node != nullptr && node->is_member) continue;
      kept.push_back({member.key, node == nullptr
                                      ? member.value
                                      : without(member.value, node->below,
                                                member_type(type, member.name()), emptied)});
    }
    return kept.empty() && to_null ? Value() : Value::object(std::move(kept));
  }
  return value;  // of a whole nothing can be taken
}

}  // namespace portico::fieldset
