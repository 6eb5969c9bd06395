// What a value and a part of one are together.
#include "fieldset/internal/form.h"
#include "fieldset/typed.h"

namespace portico::fieldset {
namespace {

using internal::Form;
using internal::Index;
using internal::member_type;
using json::Value;

Value merge(const Value& value, const Value& part, const Type& type);

/// `value` itself where nothing changed, so that all who hold it share it.
Value merge_members(const Value& value, const Value& part, const Type& type) {
  std::vector<json::Member> out;
  out.reserve(value.size() + part.size());
  bool changed = false;
  auto i = value.members().begin(), j = part.members().begin();
  const auto i_end = value.members().end(), j_end = part.members().end();
  while (i != i_end || j != j_end) {
    const int order = i == i_end ? 1 : j == j_end ? -1 : i->name().compare(j->name());
    if (order < 0) {
      out.push_back(*i++);
    } else if (order > 0) {
      changed = true;
      out.push_back(*j++);
    } else {
      Value merged = merge(i->value, j->value, member_type(type, i->name()));
      changed |= !merged.same_as(i->value);
      out.push_back({i->key, std::move(merged)});
      ++i;
      ++j;
    }
  }
  return changed || !value.is_object() ? Value::object(std::move(out)) : value;
}

/// Puts two lists into one order: items of `part` keep theirs, others stay behind what they stood
/// behind.
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
        // It is taken where `part` has it, which comes later or was before.
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
    // What is there twice is replaced, as it cannot be told which one is meant.
    const bool is_new = i == Index::kNone || old_.is_repeated(i);
    out_.push_back(is_new ? item : merge(value_.items()[i], item, *type_.items));
  }

  const Value& value_;
  const Value& part_;
  const Type& type_;
  const std::vector<Step> old_steps_, new_steps_;
  const Index old_, new_;
  std::vector<bool> taken_;
  std::vector<std::size_t> shared_;  // places in part_ of what both have
  std::size_t next_ = 0;             // in shared_: the one that is to be taken next
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
