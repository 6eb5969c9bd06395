#include <algorithm>
#include <utility>

#include "merge/internal/node_values.h"
#include "merge/internal/pair_items.h"
#include "merge/internal/three_way.h"

namespace portico::merge::internal {
namespace {

bool holds(const json::Value& list, const json::Value& item) {
  return std::find(list.items().begin(), list.items().end(), item) != list.items().end();
}

bool is_scalar_list(const json::Value& list) {
  return std::none_of(list.items().begin(), list.items().end(),
                      [](const json::Value& item) { return is_collection(item); });
}

/// The position of an item that only upstream has: before the next upstream item that exists
/// locally, else at the end. Items that run in order (init containers, functions) therefore keep
/// upstream's order. A function that upstream runs first also runs before local additions.
std::size_t place_for(std::size_t theirs, const std::vector<ItemMatch>& trios, std::size_t size,
                      bool is_function) {
  std::size_t next = kNoItem, place = size;
  bool is_first = true;
  for (const ItemMatch& trio : trios) {
    if (trio.ours == kNoItem || trio.theirs == kNoItem) continue;
    if (trio.theirs < theirs) is_first = false;
    if (trio.theirs < theirs || (next != kNoItem && trio.theirs > next)) continue;
    next = trio.theirs;
    place = trio.ours;
  }
  return is_function && is_first ? 0 : place;
}

/// The fields that identify an item, kept when part of it is restored. A function is kept whole.
std::vector<std::string> keys_of(const ListRule& rule, const json::Value& item) {
  if (rule.kind != ListRule::Kind::kFunctions) return rule.keys;
  std::vector<std::string> names;
  for (const json::Member& member : item.members()) names.emplace_back(member.name());
  return names;
}

}  // namespace

ListRule ThreeWay::rule_for(const Node& node) const {
  if (node.schema.known()) return node.schema.list_rule();
  if (!options_.infer_keys) return {};
  for (const Value* list : {node.ours, node.base, node.theirs})
    if (list != nullptr)
      if (auto key = inferred_key(*list)) return {ListRule::Kind::kMap, {*std::move(key)}};
  return {};
}

ThreeWay::Effect ThreeWay::merge_lists(const Node& plain) {
  Node node = plain;
  node.schema = commented_schema(plain.schema);
  const ListRule rule = rule_for(node);
  if (rule.kind == ListRule::Kind::kAtomic) return replace(node);
  if (node.ours->empty()) return fill_empty(node);
  return rule.kind == ListRule::Kind::kSet ? merge_sets(node) : merge_items(node, rule);
}

ThreeWay::Effect ThreeWay::merge_sets(const Node& node) {
  const Value base = list_or_empty(node.base);
  if (!is_scalar_list(base) || !is_scalar_list(*node.theirs) || !is_scalar_list(*node.ours))
    return replace(node);
  const std::size_t mark = edits_.size();
  std::size_t left = node.ours->size();
  for (std::size_t i = 0; i < node.ours->size(); ++i) {
    const Value& item = (*node.ours)[i];
    if (!holds(base, item) || holds(*node.theirs, item)) continue;
    enter_item({kNoItem, kNoItem, i}, "");
    remove();
    leave();
    --left;
  }
  for (std::size_t i = 0; i < node.theirs->size(); ++i) {
    const Value& item = (*node.theirs)[i];
    if (holds(base, item) || holds(*node.ours, item)) continue;
    enter_item({kNoItem, i, node.ours->size()}, "");
    take_theirs(true);
    leave();
    ++left;
  }
  if (left == 0) {
    edits_.resize(mark);
    return emptied(node);
  }
  return edits_.size() == mark ? Effect::kKept : Effect::kChanged;
}

ThreeWay::Effect ThreeWay::merge_items(const Node& node, const ListRule& rule) {
  const Value base = list_or_empty(node.base);
  const auto trios = pair_items(rule, base, *node.theirs, *node.ours);
  if (!trios) return replace(node);
  if (comments_changed_ && !node.is_gone) settle_comment(node, false);
  const std::size_t mark = edits_.size();
  const Schema schema = node.schema.item();
  std::size_t left = 0;
  for (const ItemMatch& trio : *trios) {
    const Node item{item_at(&base, trio.base), item_at(node.theirs, trio.theirs),
                    item_at(node.ours, trio.ours), schema, true};
    ItemMatch at = trio;
    if (at.ours == kNoItem)
      at.ours = place_for(trio.theirs, *trios, node.ours->size(),
                          rule.kind == ListRule::Kind::kFunctions);
    enter_item(at, item_label(rule, item.ours == nullptr ? *item.theirs : *item.ours));
    const Effect effect = item.ours == nullptr && !same(item.base, item.theirs)
                              ? missing_here(item, keys_of(rule, *item.theirs))
                              : merge(item);
    leave();
    if (item.ours == nullptr ? effect == Effect::kChanged : effect != Effect::kRemoved) ++left;
  }
  if (left == 0) {
    edits_.resize(mark);
    return emptied(node);
  }
  return edits_.size() == mark ? Effect::kKept : Effect::kChanged;
}

ThreeWay::Effect ThreeWay::emptied(const Node& node) {
  if (node.is_gone) {
    remove();
    return Effect::kRemoved;
  }
  set_value(Value::array());
  return Effect::kChanged;
}

/// Upstream removed the list: its items go, local additions stay. nullopt if the items cannot be
/// told apart or did not come from upstream.
std::optional<ThreeWay::Effect> ThreeWay::removed_items(const Node& plain) {
  static const Value none = Value::array();
  if (!plain.base->is_array() || !plain.ours->is_array() || plain.ours->empty()) return {};
  Node node{plain.base, &none, plain.ours, commented_schema(plain.schema), plain.is_item, true};
  const ListRule rule = rule_for(node);
  if (rule.kind == ListRule::Kind::kAtomic) return {};
  if (rule.kind == ListRule::Kind::kSet) {
    if (!is_scalar_list(*node.base) || !is_scalar_list(*node.ours)) return {};
    return merge_sets(node);
  }
  if (!pair_items(rule, *node.base, none, *node.ours)) return {};
  return merge_items(node, rule);
}

ThreeWay::UpstreamChange ThreeWay::prune_items(const Value& base, const Value& theirs,
                                               const ListRule& rule, const Schema& item_schema) {
  if (rule.kind == ListRule::Kind::kAtomic) return UpstreamChange::kChanged;
  const std::size_t mark = prunes_.size();
  UpstreamChange news = UpstreamChange::kNone;
  const auto visit = [&](std::size_t index, const Value* before) {
    theirs_at_.emplace_back(index);
    const UpstreamChange own =
        prune_unchanged(before, theirs[index], item_schema, keys_of(rule, theirs[index]));
    if (own == UpstreamChange::kNone) prunes_.push_back(theirs_at_);
    news = std::max(news, own);
    theirs_at_.pop_back();
  };
  if (rule.kind == ListRule::Kind::kSet) {
    for (std::size_t i = 0; i < theirs.size(); ++i)
      visit(i, holds(base, theirs[i]) ? &theirs[i] : nullptr);
  } else {
    const auto trios = pair_items(rule, base, theirs, Value::array());
    if (!trios) return UpstreamChange::kChanged;
    for (const ItemMatch& trio : *trios)
      if (trio.theirs != kNoItem) visit(trio.theirs, item_at(&base, trio.base));
  }
  if (news == UpstreamChange::kNone) prunes_.resize(mark);
  return news;
}

/// Pairs items whose comments correspond: by key, else by position if the local list equals
/// upstream's.
std::vector<ItemMatch> ThreeWay::comment_pairs(const Node& node) const {
  const ListRule rule = rule_for(node);
  std::vector<ItemMatch> pairs;
  if (rule.kind == ListRule::Kind::kMap || rule.kind == ListRule::Kind::kFunctions) {
    const Value base = list_or_empty(node.base);
    if (const auto trios = pair_items(rule, base, *node.theirs, *node.ours)) {
      for (const ItemMatch& trio : *trios)
        if (trio.ours != kNoItem && trio.theirs != kNoItem) pairs.push_back(trio);
      return pairs;
    }
  }
  if (*node.ours != *node.theirs) return pairs;
  for (std::size_t i = 0; i < node.ours->size(); ++i)
    pairs.push_back({same(node.base, node.theirs) ? i : kNoItem, i, i});
  return pairs;
}

}  // namespace portico::merge::internal
