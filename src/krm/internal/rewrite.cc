#include "krm/internal/rewrite.h"

#include <algorithm>
#include <vector>

#include "krm/internal/decode.h"
#include "krm/internal/object_state.h"
#include "krm/internal/to_tree.h"

namespace portico::krm {
namespace {

using yaml::Kind;
using yaml::NodeId;

/// Map items with a name are the same item if their names are equal.
const json::Value* item_name(const json::Value& item) {
  const json::Value* name = item.find("name");
  return name != nullptr && name->is_string() ? name : nullptr;
}

bool is_same_item(const json::Value& a, const json::Value& b) {
  const json::Value* name_a = item_name(a);
  const json::Value* name_b = item_name(b);
  if (name_a != nullptr && name_b != nullptr) return *name_a == *name_b;
  return same_value(a, b);
}

/// Pairs (old, new) of items that stay: a longest common subsequence. Lists that are too long for
/// that are paired by position.
std::vector<std::pair<std::size_t, std::size_t>> pair_items(const json::Value& value,
                                                            const json::Value& desired) {
  const std::size_t n = value.size(), m = desired.size();
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t head = 0;
  while (head < n && head < m && is_same_item(value[head], desired[head])) {
    pairs.emplace_back(head, head);
    ++head;
  }
  std::size_t tail = 0;
  while (tail < n - head && tail < m - head &&
         is_same_item(value[n - 1 - tail], desired[m - 1 - tail]))
    ++tail;
  const std::size_t rows = n - head - tail, columns = m - head - tail;
  constexpr std::size_t kMaxCells = 1'000'000;
  if (rows > 0 && columns > 0 && rows * columns <= kMaxCells) {
    std::vector<std::uint32_t> length((rows + 1) * (columns + 1));
    const auto cell = [&](std::size_t i, std::size_t k) -> std::uint32_t& {
      return length[i * (columns + 1) + k];
    };
    for (std::size_t i = rows; i-- > 0;)
      for (std::size_t k = columns; k-- > 0;)
        cell(i, k) = is_same_item(value[head + i], desired[head + k])
                         ? cell(i + 1, k + 1) + 1
                         : std::max(cell(i + 1, k), cell(i, k + 1));
    for (std::size_t i = 0, k = 0; i < rows && k < columns;) {
      if (is_same_item(value[head + i], desired[head + k])) {
        pairs.emplace_back(head + i++, head + k++);
      } else if (cell(i + 1, k) >= cell(i, k + 1)) {
        ++i;
      } else {
        ++k;
      }
    }
  }
  for (std::size_t i = tail; i-- > 0;) pairs.emplace_back(n - 1 - i, m - 1 - i);
  return pairs;
}

/// Copies an entry of a list or map together with its comments.
yaml::Tree copy_of(const yaml::Document& document, const Path& path) {
  NodeId node = yaml::Document::root(), parent = yaml::kNoNode, entry = yaml::kNoNode;
  for (const Step& step : path) {
    parent = document.target(node);
    if (const auto* name = std::get_if<std::string>(&step)) {
      const auto member = find_member(document, parent, *name);
      entry = member->key;
      node = member->value;
    } else {
      node = entry = list_items(document, parent)[std::get<std::size_t>(step)];
    }
  }
  return yaml::Tree::copy(document, node, parent, entry);
}

bool has_alias(const yaml::Document& document, NodeId id) {
  for (NodeId at = id; at < document[id].next; ++at)
    if (document[at].kind == Kind::kAlias) return true;
  return false;
}

bool is_within(const yaml::Document& document, NodeId node, NodeId tree) {
  return node >= tree && node < document[tree].next;
}

/// Whether a merge key provides a member, even if the map has its own. A decoded document has no
/// circular merge keys.
bool merge_brings(const yaml::Document& document, NodeId map, std::string_view name) {
  for (const MapMember& member : map_members(document, map)) {
    if (!is_merge_key(document, member.key)) continue;
    const NodeId value = document.target(member.value);
    std::vector<NodeId> sources = {value};
    if (document[value].kind == Kind::kSeq) sources = list_items(document, value);
    for (const NodeId source : sources) {
      const NodeId from = document.target(source);
      if (find_member(document, from, name) || merge_brings(document, from, name)) return true;
    }
  }
  return false;
}

}  // namespace

bool Rewriter::is_merged(NodeId map, std::string_view name) const {
  return has_merges_ && merge_brings(document_, map, name);
}

void Rewriter::replace(NodeId node, const yaml::Tree& tree) {
  gone_.push_back(node);
  editor_.replace(node, tree);
}

void Rewriter::remove(NodeId parent, NodeId child) {
  gone_.push_back(child);
  if (document_[parent].kind == Kind::kMap) gone_.push_back(document_[child].next);
  editor_.remove(parent, child);
}

/// Removing a map's own member must not expose one from a merge key.
void Rewriter::remove_member(NodeId map, NodeId key, std::string_view name) {
  if (is_merged(map, name))
    expand_merges(map);
  else
    remove(map, key);
}

void Rewriter::rename(NodeId key, const Edit& edit) {
  gone_.push_back(key);
  editor_.rename(key, std::string(edit.value.as_string()));
}

void Rewriter::expand_merges(NodeId map) {
  for (const MapMember& member : map_members(document_, map))
    if (is_merge_key(document_, member.key)) expand_.insert(member.value);
}

std::set<NodeId> Rewriter::to_expand() const {
  std::set<NodeId> out = expand_;
  if (aliases_.empty()) return out;
  std::vector<bool> gone(document_.nodes().size());
  for (const NodeId tree : gone_)
    std::fill(gone.begin() + tree, gone.begin() + document_[tree].next, true);
  for (const NodeId alias : aliases_) {
    const NodeId target = document_[alias].column;
    if (!gone[alias] && (gone[target] || touched_.contains(target))) out.insert(alias);
  }
  return out;
}

std::set<NodeId> all_aliases(const yaml::Document& document) {
  std::set<NodeId> out;
  for (NodeId id = 0; id < document.nodes().size(); ++id)
    if (document[id].kind == Kind::kAlias) out.insert(id);
  return out;
}

bool has_merge_keys(const yaml::Document& document) {
  for (NodeId id = 0; id < document.nodes().size(); ++id)
    if (is_merge_key(document, id)) return true;
  return false;
}

yaml::Tree Rewriter::tree(const Edit& edit) const {
  const json::Value value = new_value(edit);
  if (edit.from != nullptr && copy_text_) {
    const yaml::Document& source = document_of(*edit.from);
    // A node from a merge key or an alias has no text of its own.
    const auto node = find_node(source, edit.from_path);
    if (node && !has_alias(source, *node)) return copy_of(source, edit.from_path);
  }
  return to_tree(value, edit.key_order);
}

/// The tree for a path that did not exist.
yaml::Tree Rewriter::tree(const Plan& plan) const {
  if (plan.here != nullptr) return tree(*plan.here);
  yaml::Tree out = plan.members.empty() ? yaml::Tree::list() : yaml::Tree::map();
  for (const std::string& name : plan.order) {
    const Plan& member = plan.members.at(name);
    if (!member.removes()) out.add(name, tree(member));
  }
  for (const auto& [index, edits] : plan.inserts)
    for (const Edit* edit : edits) out.items.push_back(tree(*edit));
  for (const auto& [index, item] : plan.items) out.items.push_back(tree(item));
  return out;
}

void Rewriter::set(NodeId node, const json::Value& value, const Edit& edit) {
  if (edit.from != nullptr) return replace(node, tree(edit));
  const bool root = node == yaml::Document::root();
  key_order_ = edit.key_order.empty() && root ? root_key_order() : edit.key_order;
  update(node, value, edit.value);
}

void Rewriter::apply(NodeId node, const json::Value& value, const Plan& plan) {
  if (plan.here != nullptr) return set(node, value, *plan.here);
  if (!plan.is_deep()) return;
  if (!aliases_.empty() && !same_value(value, planned(value, plan))) touched_.insert(node);
  if (document_[node].kind == Kind::kAlias) {
    expand_.insert(node);
  } else if (document_[node].kind == Kind::kScalar) {
    replace(node, tree(plan));
  } else if (!plan.members.empty()) {
    apply_members(node, value, plan);
  } else {
    apply_items(node, value, plan);
  }
}

void Rewriter::apply_members(NodeId node, const json::Value& value, const Plan& plan) {
  for (const std::string& name : plan.order) {
    const Plan& change = plan.members.at(name);
    const auto member = find_member(document_, node, name);
    if (!member) {
      // A member from a merge key can be overridden as a whole; any other change has to expand it.
      const json::Value* merged = value.find(name);
      if (merged != nullptr && (change.here == nullptr || change.removes()))
        expand_merges(node);
      else if (!change.removes() &&
               (merged == nullptr || !same_value(*merged, new_value(*change.here))))
        editor_.insert(node, yaml::kNoNode, name, tree(change));
    } else if (change.removes()) {
      remove_member(node, member->key, name);
    } else {
      if (change.rename != nullptr && is_merged(node, name)) expand_merges(node);
      if (change.rename != nullptr) rename(member->key, *change.rename);
      apply(member->value, value[name], change);
    }
  }
}

void Rewriter::apply_items(NodeId node, const json::Value& value, const Plan& plan) {
  const std::vector<NodeId> items = list_items(document_, node);
  for (const auto& [index, edits] : plan.inserts)
    for (const Edit* edit : edits)
      editor_.insert(node, index < items.size() ? items[index] : yaml::kNoNode, "", tree(*edit));
  for (const auto& [index, change] : plan.items) {
    if (index >= items.size()) {
      editor_.insert(node, yaml::kNoNode, "", tree(change));
    } else if (change.removes()) {
      remove(node, items[index]);
    } else {
      apply(items[index], value[index], change);
    }
  }
}

void Rewriter::update(NodeId node, const json::Value& value, const json::Value& desired) {
  if (same_value(value, desired)) return;
  touched_.insert(node);
  const Kind kind = document_[node].kind;
  if (kind == Kind::kMap && desired.is_object() && !desired.empty()) {
    update_map(node, value, desired);
  } else if (kind == Kind::kSeq && desired.is_array() && !desired.empty()) {
    update_list(node, value, desired);
  } else {
    replace(node, to_tree(desired, key_order_));
  }
}

void Rewriter::update_map(NodeId node, const json::Value& value, const json::Value& desired) {
  std::string scratch;
  std::size_t seen = 0;
  std::vector<std::string> added;
  for (const json::Member& member : desired.members())
    if (!value.contains(member.name())) added.emplace_back(member.name());
  for (const MapMember& member : map_members(document_, node)) {
    if (is_merge_key(document_, member.key)) continue;
    const std::string name(key_text(document_, member.key, scratch));
    ++seen;
    if (const json::Value* wanted = desired.find(name))
      update(member.value, value[name], *wanted);
    else
      remove_member(node, member.key, name);
  }
  if (seen < value.size()) {
    // The others come from a merge key. Overriding one adds a member; removing one requires
    // expansion.
    for (const json::Member& member : value.members()) {
      if (find_member(document_, node, member.name())) continue;
      const json::Value* wanted = desired.find(member.name());
      if (wanted == nullptr)
        expand_merges(node);
      else if (!same_value(member.value, *wanted))
        added.emplace_back(member.name());
    }
  }
  sort_keys(added, key_order_);
  for (std::string& name : added) {
    yaml::Tree member = to_tree(desired[name], key_order_);
    editor_.insert(node, yaml::kNoNode, std::move(name), std::move(member));
  }
}

void Rewriter::update_list(NodeId node, const json::Value& value, const json::Value& desired) {
  const std::vector<NodeId> items = list_items(document_, node);
  std::vector<std::pair<std::size_t, std::size_t>> pairs = pair_items(value, desired);
  pairs.emplace_back(value.size(), desired.size());
  std::size_t old = 0, fresh = 0;
  for (const auto& [next_old, next_fresh] : pairs) {
    // Between two items that stay: changes items in place as far as possible.
    while (old < next_old && fresh < next_fresh && value[old].type() == desired[fresh].type() &&
           (item_name(value[old]) == nullptr || item_name(desired[fresh]) == nullptr)) {
      update(items[old], value[old], desired[fresh]);
      ++old;
      ++fresh;
    }
    for (; old < next_old; ++old) remove(node, items[old]);
    for (; fresh < next_fresh; ++fresh)
      editor_.insert(node, next_old < items.size() ? items[next_old] : yaml::kNoNode, "",
                     to_tree(desired[fresh], key_order_));
    if (next_old < items.size()) update(items[next_old], value[next_old], desired[next_fresh]);
    old = next_old + 1;
    fresh = next_fresh + 1;
  }
}

namespace {

struct Expander {
  const yaml::Document& document;
  const std::set<NodeId>& which;
  yaml::Editor& editor;

  bool holds_one(NodeId tree) const {
    const auto first = which.lower_bound(tree);
    return first != which.end() && is_within(document, *first, tree);
  }

  void node(NodeId id, const json::Value& value) {
    if (!holds_one(id)) return;
    const Kind kind = document[id].kind;
    if (kind == Kind::kAlias) {
      editor.replace(id, to_tree(value));
    } else if (kind == Kind::kSeq) {
      std::size_t index = 0;
      for (const NodeId item : list_items(document, id)) node(item, value[index++]);
    } else if (kind == Kind::kMap) {
      map(id, value);
    }
  }

  void map(NodeId id, const json::Value& value) {
    std::string scratch;
    bool merges = false;
    for (const MapMember& member : map_members(document, id)) {
      if (!is_merge_key(document, member.key)) {
        node(member.value, value[key_text(document, member.key, scratch)]);
      } else if (holds_one(member.value)) {
        editor.remove(id, member.key);
        merges = true;
      }
    }
    if (!merges) return;
    for (const json::Member& member : value.members())
      if (!find_member(document, id, member.name()))
        editor.insert(id, yaml::kNoNode, std::string(member.name()), to_tree(member.value));
  }
};

}  // namespace

std::string expanded_text(const yaml::Document& document, const json::Value& value,
                          const std::set<NodeId>& which) {
  yaml::Editor editor(document);
  Expander{document, which, editor}.node(yaml::Document::root(), value);
  return editor.finish();
}

}  // namespace portico::krm
