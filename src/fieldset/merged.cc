// Merges a value with a partial value.
#include "fieldset/internal/form.h"
#include "fieldset/typed.h"

namespace portico::fieldset {
namespace {

using internal::Form;
using internal::Index;
using internal::member_type;
using json::Value;

Value merge(const Value& value, const Value& part, const Type& type);

/// Returns `value` itself if nothing changed, so that its data stays shared.
Value merge_members(const Value& value, const Value& part, const Type& type) {
  // The changes by `part`, each to be inserted before the member of `value` at `at`, or to replace
  // it.
  struct Change {
    std::size_t at;
    bool replaces;
    json::Member member;
  };
  std::vector<Change> changes;
  internal::Declared declared(type);
  const std::span<const json::Member> old = value.members();
  std::size_t at = 0;
  for (const json::Member& member : part.members()) {
    while (at < old.size() && old[at].name() < member.name()) ++at;
    if (at == old.size() || old[at].name() != member.name()) {
      changes.push_back({at, false, member});
      continue;
    }
    const Field* field = declared.find(member.name());
    const Type& below = field != nullptr ? *field->type : member_type(type, member.name());
    Value merged = merge(old[at].value, member.value, below);
    if (!merged.same_as(old[at].value))
      changes.push_back({at, true, {member.key, std::move(merged)}});
  }
  if (changes.empty() && value.is_object()) return value;
  std::vector<json::Member> out;
  out.reserve(old.size() + changes.size());
  std::size_t next = 0;
  for (Change& change : changes) {
    while (next < change.at) out.push_back(old[next++]);
    if (change.replaces) ++next;
    out.push_back(std::move(change.member));
  }
  while (next < old.size()) out.push_back(old[next++]);
  return Value::object(std::move(out));
}

/// Merges lists with the same items in the same order.
Value merge_items(const Value& value, const Value& part, const Type& type) {
  std::vector<Value> out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    Value merged = merge(value.items()[i], part.items()[i], *type.items);
    if (out.empty() && merged.same_as(value.items()[i])) continue;
    if (out.empty()) {
      out.reserve(value.size());
      out.assign(value.items().begin(), value.items().begin() + static_cast<std::ptrdiff_t>(i));
    }
    out.push_back(std::move(merged));
  }
  return out.empty() ? value : Value::array(std::move(out));
}

/// Merges two lists into one order: items of `part` keep their order, and other items stay after
/// the item that they followed.
class ListMerge {
 public:
  ListMerge(const Value& value, const Value& part, const Type& type)
      : value_(value),
        part_(part),
        type_(type),
        old_steps_(internal::steps_of(type, value)),
        new_steps_(internal::steps_of(type, part)),
        old_(old_steps_),
        new_(new_steps_),
        taken_(new_steps_.size()) {
    for (std::size_t i = 0; i < new_steps_.size(); ++i)
      if (old_.find(new_steps_[i]) != Index::kNone) shared_.push_back(i);
  }

  Value run() && {
    std::size_t i = 0, j = 0;
    while (i < old_steps_.size() || j < new_steps_.size()) {
      if (i < old_steps_.size()) {
        const std::size_t pair = new_.find(old_steps_[i]);
        if (pair == Index::kNone) {
          out_.push_back(value_.items()[i++]);
          continue;
        }
        if (j < new_steps_.size() && pair == j) {
          take(j++);
          ++i;
          continue;
        }
        // The item is taken at its position in `part`, which is later or has already passed.
        if (j < new_steps_.size() && next_shared() != Index::kNone && pair != next_shared()) {
          ++i;
          continue;
        }
        if (taken_[pair]) ++i;
      }
      if (j < new_steps_.size()) take(j++);
    }
    const bool same_items = value_.is_array() && out_.size() == value_.size() &&
                            std::equal(out_.begin(), out_.end(), value_.items().begin(),
                                       [](const Value& a, const Value& b) { return a.same_as(b); });
    return same_items ? value_ : Value::array(std::move(out_));
  }

 private:
  std::size_t next_shared() const { return next_ < shared_.size() ? shared_[next_] : Index::kNone; }

  void take(std::size_t j) {
    taken_[j] = true;
    if (next_shared() == j) ++next_;
    const std::size_t i = old_.find(new_steps_[j]);
    const Value& item = part_.items()[j];
    // A duplicate item is replaced, because it is ambiguous which one is meant.
    const bool is_new = i == Index::kNone || old_.is_repeated(i);
    out_.push_back(is_new ? item : merge(value_.items()[i], item, *type_.items));
  }

  const Value& value_;
  const Value& part_;
  const Type& type_;
  const std::vector<Step> old_steps_, new_steps_;
  const Index old_, new_;
  std::vector<bool> taken_;
  std::vector<std::size_t> shared_;  // positions in part_ of items that both have
  std::size_t next_ = 0;             // in shared_: the next one to take
  std::vector<Value> out_;
};

Value merge(const Value& value, const Value& part, const Type& type) {
  switch (internal::form_of(type, &part)) {
    case Form::kMap:
      if (type.is_atomic_map || (value.members().empty() && part.members().empty())) break;
      return merge_members(value, part, type);
    case Form::kList:
      if (type.list == Type::List::kAtomic || (value.items().empty() && part.items().empty()))
        break;
      if (internal::same_items(type, value, part)) return merge_items(value, part, type);
      return ListMerge(value, part, type).run();
    case Form::kScalar:
      break;
  }
  return part == value ? value : part;
}

}  // namespace

Value merged(const Value& value, const Value& part, const Type& type) {
  return merge(value, part, type);
}

}  // namespace portico::fieldset
