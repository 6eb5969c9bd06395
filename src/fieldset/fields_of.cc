// The fields that values set, and values without given fields.
#include "fieldset/internal/form.h"
#include "fieldset/typed.h"
#include "json/text.h"

namespace portico::fieldset {
namespace {

using internal::Form;
using internal::member_type;
using json::Value;

/// Whether `value` itself is a field, and the fields below it.
struct Fields {
  bool is_member = false;
  Set below = {};
};

Fields fields(const Value& value, const Type& type);

bool is_blank(const Value& value) {
  return value.is_null() || (value.is_object() && value.empty());
}

Set members_of(const Value& map, const Type& type) {
  std::vector<Node> nodes;
  nodes.reserve(map.size());
  internal::Declared declared(type);
  for (const json::Member& member : map.members()) {
    const Field* field = declared.find(member.name());
    const Type& below = field != nullptr ? *field->type : member_type(type, member.name());
    Fields own = fields(member.value, below);
    nodes.push_back({Step::field(member.key),
                     own.is_member || is_blank(member.value) || field == nullptr,
                     std::move(own.below)});
  }
  return Set::of(std::move(nodes));
}

Set items_of(const Value& list, const Type& type) {
  std::vector<Step> steps = internal::steps_of(type, list);
  const internal::Index index(steps);
  std::vector<Node> nodes;
  nodes.reserve(steps.size());
  for (const std::size_t i : index.sorted()) {
    // Duplicate items cannot be distinguished, so they have no fields below.
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

/// Compares written fields with those of a value without building a Set.
class Comparison {
 public:
  /// `fields` are those below `value`; `apart` are not expected there.
  bool matches(const Value& fields, const Value& value, const Type& type, const Set& apart) {
    switch (internal::form_of(type, &value)) {
      case Form::kScalar:
        return fields.empty();
      case Form::kMap:
        return type.is_atomic_map ? fields.empty() : members_match(fields, value, type, apart);
      case Form::kList:
        return type.list == Type::List::kAtomic ? fields.empty() : items_match(fields, value, type);
    }
    return false;
  }

 private:
  /// "." sorts before all steps.
  static bool has_dot(const Value& fields) {
    return !fields.empty() && fields.members().front().name() == ".";
  }
  static bool is_member(const Value& fields) { return fields.empty() || has_dot(fields); }

  /// Whether a value is itself a field, regardless of the step to it.
  static bool is_whole(const Value& value, const Type& type) {
    switch (internal::form_of(type, &value)) {
      case Form::kScalar:
        return true;
      case Form::kMap:
        return type.is_atomic_map;
      case Form::kList:
        return type.list == Type::List::kAtomic;
    }
    return false;
  }

  bool members_match(const Value& fields, const Value& value, const Type& type, const Set& apart) {
    internal::Declared declared(type);
    auto at = fields.members().begin();
    const auto end = fields.members().end();
    if (has_dot(fields)) ++at;
    for (const json::Member& member : value.members()) {
      const Field* field = declared.find(member.name());
      const Type& below = field != nullptr ? *field->type : member_type(type, member.name());
      const Node* aside = apart.empty() ? nullptr : apart.find(Step::field(member.key));
      const bool expected =
          (aside == nullptr || !aside->is_member) &&
          (field == nullptr || is_blank(member.value) || is_whole(member.value, below));
      const bool is_there = at != end && at->name().size() == member.name().size() + 2 &&
                            at->name().starts_with("f:") && at->name().ends_with(member.name());
      // If the member is not written, no fields may be expected below it.
      const Value& written = is_there ? at->value : nothing_;
      if (is_there ? is_member(written) != expected : expected) return false;
      if (!matches(written, member.value, below, aside == nullptr ? nothing_apart_ : aside->below))
        return false;
      if (is_there) ++at;
    }
    return at == end;
  }

  bool items_match(const Value& fields, const Value& value, const Type& type) {
    const std::size_t dot = has_dot(fields) ? 1 : 0;
    if (fields.size() != value.size() + dot) return false;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Value& item = value.items()[i];
      key_ = "k:{";
      if (type.list == Type::List::kKeyed) {
        for (const std::string& name : type.keys) {
          const Value* key = internal::key_of_item(type, item, name);
          if (key == nullptr) continue;
          if (key_.size() > 3) key_ += ',';
          json::append_quoted(key_, name);
          key_ += ':';
          append(*key);
        }
        key_ += '}';
      } else {
        key_ = "v:";
        append(item);
      }
      const Value* written = fields.find(key_);
      if (written == nullptr || !is_member(*written)) return false;
      if (!matches(*written, item, *type.items, nothing_apart_)) return false;
    }
    return true;
  }

  void append(const Value& scalar) {
    if (scalar.is_string())
      json::append_quoted(key_, scalar.as_string());
    else
      key_ += json::print(scalar);
  }

  std::string key_;  // reused to avoid allocations
  const Value nothing_ = Value::object();
  const Set nothing_apart_ = {};
};

/// The type of the value that a step leads to.
const Type& below(const Type& type, const Step& step) {
  if (step.kind == Step::Kind::kField)
    return type.is_map ? member_type(type, step.value.as_string()) : free_type();
  return type.list != Type::List::kNone ? *type.items : free_type();
}

}  // namespace

Set fields_of(const Value& value, const Type& type) { return fields(value, type).below; }

bool says_fields_of(const Value& fields, const Value& value, const Type& type, const Set& apart) {
  return Comparison().matches(fields, value, type, apart);
}

bool is_outdated(const Value& fields, const Type& type) {
  if (&type == &free_type()) return false;
  for (const json::Member& member : fields.members()) {
    if (member.value.empty()) continue;
    const Type* own = &free_type();
    if (member.name().starts_with("f:") && type.is_map)
      own = &member_type(type, member.name().substr(2));
    else if (!member.name().starts_with("f:") && type.list != Type::List::kNone)
      own = type.items;
    const bool is_atomic = own->is_map ? own->is_atomic_map : own->list == Type::List::kAtomic;
    if (is_atomic || is_outdated(member.value, *own)) return true;
  }
  return false;
}

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
  return value;  // nothing can be removed from an atomic value
}

}  // namespace portico::fieldset
