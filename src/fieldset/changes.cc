// Differences between two values, as sets of fields.
#include "fieldset/internal/form.h"
#include "fieldset/typed.h"

namespace portico::fieldset {
namespace {

using internal::Form;
using internal::member_type;
using json::Value;

/// The change of a value itself, and the changes below it.
struct Diff {
  bool removed = false, modified = false, added = false;
  Changes below = {};

  void attach(const Step& step, Diff one) {
    below.removed.append(step, one.removed, std::move(one.below.removed));
    below.modified.append(step, one.modified, std::move(one.below.modified));
    below.added.append(step, one.added, std::move(one.below.added));
  }
};

Diff diff(const Value* before, const Value* after, const Type& type);

/// Compares both as a whole; one of them may be missing.
void compare_whole(const Value* before, const Value* after, Diff& out) {
  if (before == nullptr)
    out.added = true;
  else if (after == nullptr)
    out.removed = true;
  else if (!same(*before, *after))
    out.modified = true;
}

void compare_members(std::span<const json::Member> before, std::span<const json::Member> after,
                     const Type& type, Diff& out) {
  auto i = before.begin(), j = after.begin();
  while (i != before.end() || j != after.end()) {
    const int order = i == before.end() ? 1 : j == after.end() ? -1 : i->name().compare(j->name());
    const json::Member& first = order <= 0 ? *i : *j;
    const Value* old = order <= 0 ? &i->value : nullptr;
    const Value* fresh = order >= 0 ? &j->value : nullptr;
    if (old == nullptr || fresh == nullptr || !old->same_as(*fresh))
      out.attach(Step::field(first.key), diff(old, fresh, member_type(type, first.name())));
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
}

/// Compares lists with the same items in the same order, most of which are equal.
void compare_pairs(const Value& before, const Value& after, const Type& type, Diff& out) {
  std::vector<Node> removed, modified, added;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Value &old = before.items()[i], &fresh = after.items()[i];
    if (old.same_as(fresh)) continue;
    const auto step = step_to_item(type, fresh, i);
    if (!step) continue;
    Diff one = diff(&old, &fresh, *type.items);
    removed.push_back({*step, one.removed, std::move(one.below.removed)});
    modified.push_back({*step, one.modified, std::move(one.below.modified)});
    added.push_back({*step, one.added, std::move(one.below.added)});
  }
  out.below = {Set::of(std::move(removed)), Set::of(std::move(modified)),
               Set::of(std::move(added))};
}

/// Of duplicate items, the first counts.
void compare_items(const Value* before, const Value* after, const Type& type, Diff& out) {
  const std::vector<Step> old_steps =
      before ? internal::steps_of(type, *before) : std::vector<Step>();
  const std::vector<Step> new_steps =
      after ? internal::steps_of(type, *after) : std::vector<Step>();
  const internal::Index old_index(old_steps), new_index(new_steps);
  const auto past_repeats = [](const std::vector<Step>& steps,
                               const std::vector<std::size_t>& order, std::size_t at) {
    const Step& step = steps[order[at]];
    while (at < order.size() && steps[order[at]] == step) ++at;
    return at;
  };
  const auto &old_order = old_index.sorted(), &new_order = new_index.sorted();
  std::size_t i = 0, j = 0;
  while (i < old_order.size() || j < new_order.size()) {
    const auto order = i == old_order.size() ? std::strong_ordering::greater
                       : j == new_order.size()
                           ? std::strong_ordering::less
                           : old_steps[old_order[i]] <=> new_steps[new_order[j]];
    const Step& step = order <= 0 ? old_steps[old_order[i]] : new_steps[new_order[j]];
    const Value* old = order <= 0 ? &before->items()[old_order[i]] : nullptr;
    const Value* fresh = order >= 0 ? &after->items()[new_order[j]] : nullptr;
    out.attach(step, diff(old, fresh, *type.items));
    if (order <= 0) i = past_repeats(old_steps, old_order, i);
    if (order >= 0) j = past_repeats(new_steps, new_order, j);
  }
}

/// Returns true if the value was compared as a whole.
bool compare_as(Form form, const Value* before, const Value* after, const Type& type, Diff& out) {
  if (form == Form::kMap) {
    const auto members = [](const Value* value) {
      return value != nullptr ? value->members() : std::span<const json::Member>();
    };
    // If both are empty, they are compared as a whole: null is not {}.
    if (!type.is_atomic_map && !(members(before).empty() && members(after).empty())) {
      compare_members(members(before), members(after), type, out);
      return false;
    }
  } else if (form == Form::kList && type.list != Type::List::kAtomic) {
    const Value* old = before != nullptr && before->is_array() ? before : nullptr;
    const Value* fresh = after != nullptr && after->is_array() ? after : nullptr;
    if ((old != nullptr && !old->empty()) || (fresh != nullptr && !fresh->empty())) {
      if (old != nullptr && fresh != nullptr && internal::same_items(type, *old, *fresh))
        compare_pairs(*old, *fresh, type, out);
      else
        compare_items(old, fresh, type, out);
      return false;
    }
  }
  compare_whole(before, after, out);
  return true;
}

Diff union_of(const Diff& a, const Diff& b) {
  return {a.removed || b.removed,
          a.modified || b.modified,
          a.added || b.added,
          {union_of(a.below.removed, b.below.removed), union_of(a.below.modified, b.below.modified),
           union_of(a.below.added, b.below.added)}};
}

Diff diff(const Value* before, const Value* after, const Type& type) {
  Diff out;
  if (before != nullptr && after != nullptr && before->same_as(*after)) return out;
  const Form old_form = internal::form_of(type, before), new_form = internal::form_of(type, after);
  const Form form = after == nullptr ? old_form : new_form;
  if (before != nullptr && after != nullptr && old_form != new_form) {
    // A value whose form changed has lost everything that it had in the old form.
    Diff lost;
    compare_as(old_form, before, after, type, lost);
    compare_as(form, before, after, type, out);
    return union_of(lost, out);
  }
  if (!compare_as(form, before, after, type, out)) {
    out.added = before == nullptr;
    out.removed = after == nullptr;
  }
  return out;
}

}  // namespace

Changes changes(const Value& before, const Value& after, const Type& type) {
  return diff(&before, &after, type).below;
}

}  // namespace portico::fieldset
