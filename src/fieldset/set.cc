#include "fieldset/set.h"

#include <algorithm>

namespace portico::fieldset {
namespace {

bool before(const Node& node, const Step& step) { return node.step < step; }

void visit_below(const Set& set, Path& path, const std::function<void(const Path&)>& visitor) {
  for (const Node& node : set.nodes()) {
    if (!node.is_member) continue;
    path.push_back(node.step);
    visitor(path);
    path.pop_back();
  }
  for (const Node& node : set.nodes()) {
    if (node.below.empty()) continue;
    path.push_back(node.step);
    visit_below(node.below, path, visitor);
    path.pop_back();
  }
}

}  // namespace

std::vector<Node>& Set::own() {
  if (nodes_ == nullptr)
    nodes_ = std::make_shared<std::vector<Node>>();
  else if (nodes_.use_count() != 1)
    nodes_ = std::make_shared<std::vector<Node>>(*nodes_);
  return *nodes_;
}

bool operator==(const Set& a, const Set& b) {
  return a.nodes_ == b.nodes_ || std::ranges::equal(a.nodes(), b.nodes());
}

std::size_t Set::size() const {
  std::size_t size = 0;
  for (const Node& node : nodes()) size += (node.is_member ? 1 : 0) + node.below.size();
  return size;
}

void Set::insert(std::span<const Step> path) {
  if (path.empty()) return;
  std::vector<Node>& nodes = own();
  auto at = std::lower_bound(nodes.begin(), nodes.end(), path.front(), before);
  if (at == nodes.end() || at->step != path.front())
    at = nodes.insert(at, Node{path.front(), false, {}});
  if (path.size() == 1)
    at->is_member = true;
  else
    at->below.insert(path.subspan(1));
}

bool Set::has(std::span<const Step> path) const {
  if (path.empty()) return false;
  const Node* node = find(path.front());
  if (node == nullptr) return false;
  return path.size() == 1 ? node->is_member : node->below.has(path.subspan(1));
}

const Node* Set::find(const Step& step) const {
  const std::span<const Node> all = nodes();
  const auto at = std::lower_bound(all.begin(), all.end(), step, before);
  return at == all.end() || at->step != step ? nullptr : &*at;
}

void Set::append(Step step, bool is_member, Set below) {
  if (!is_member && below.empty()) return;
  own().push_back({std::move(step), is_member, std::move(below)});
}

Set Set::of(std::vector<Node> nodes) {
  const auto is_in_place = [&nodes](std::size_t i) {
    return (nodes[i].is_member || !nodes[i].below.empty()) &&
           (i == 0 || nodes[i - 1].step < nodes[i].step);
  };
  std::size_t in_place = 0;
  while (in_place < nodes.size() && is_in_place(in_place)) ++in_place;
  Set out;
  if (nodes.empty()) return out;
  if (in_place == nodes.size()) {
    out.own() = std::move(nodes);
    return out;
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const Node& a, const Node& b) { return a.step < b.step; });
  std::vector<Node> merged;
  for (Node& node : nodes) {
    if (!node.is_member && node.below.empty()) continue;
    if (!merged.empty() && merged.back().step == node.step) {
      Node& last = merged.back();
      last.is_member |= node.is_member;
      last.below = union_of(last.below, node.below);
    } else {
      merged.push_back(std::move(node));
    }
  }
  if (!merged.empty()) out.own() = std::move(merged);
  return out;
}

void Set::visit(const std::function<void(const Path&)>& visitor) const {
  Path path;
  visit_below(*this, path, visitor);
}

std::string Set::text() const {
  std::string out;
  visit([&out](const Path& path) { out += text_of(path) + "\n"; });
  return out;
}

namespace {

/// Walks two sets in parallel: only_a and only_b get the nodes of one set alone, `both` gets pairs.
template <class OnlyA, class OnlyB, class Both>
void zip(const Set& a, const Set& b, const OnlyA& only_a, const OnlyB& only_b, const Both& both) {
  auto i = a.nodes().begin(), j = b.nodes().begin();
  while (i != a.nodes().end() && j != b.nodes().end()) {
    const auto order = i->step <=> j->step;
    if (order < 0)
      only_a(*i++);
    else if (order > 0)
      only_b(*j++);
    else
      both(*i++, *j++);
  }
  for (; i != a.nodes().end(); ++i) only_a(*i);
  for (; j != b.nodes().end(); ++j) only_b(*j);
}

constexpr auto kPassOver = [](const Node&) {};

}  // namespace

Set union_of(const Set& a, const Set& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  Set out;
  const auto take = [&out](const Node& node) { out.append(node.step, node.is_member, node.below); };
  zip(a, b, take, take, [&out](const Node& x, const Node& y) {
    out.append(x.step, x.is_member || y.is_member, union_of(x.below, y.below));
  });
  return out;
}

Set intersection(const Set& a, const Set& b) {
  Set out;
  zip(a, b, kPassOver, kPassOver, [&out](const Node& x, const Node& y) {
    out.append(x.step, x.is_member && y.is_member, intersection(x.below, y.below));
  });
  return out;
}

Set difference(const Set& a, const Set& b) {
  if (b.empty()) return a;
  Set out;
  zip(
      a, b, [&out](const Node& node) { out.append(node.step, node.is_member, node.below); },
      kPassOver,
      [&out](const Node& x, const Node& y) {
        out.append(x.step, x.is_member && !y.is_member, difference(x.below, y.below));
      });
  return out;
}

Set difference_below(const Set& a, const Set& b) {
  if (b.empty()) return a;
  Set out;
  zip(
      a, b, [&out](const Node& node) { out.append(node.step, node.is_member, node.below); },
      kPassOver,
      [&out](const Node& x, const Node& y) {
        if (!y.is_member) out.append(x.step, x.is_member, difference_below(x.below, y.below));
      });
  return out;
}

Set leaves(const Set& set) {
  Set out;
  for (const Node& node : set.nodes())
    out.append(node.step, node.is_member && node.below.empty(), leaves(node.below));
  return out;
}

Set only_below(const Set& set, std::span<const std::vector<std::string>> prefixes) {
  Set out;
  for (const Node& node : set.nodes()) {
    std::vector<std::vector<std::string>> rest;
    bool all = false;
    for (const auto& prefix : prefixes) {
      if (node.step.kind != Step::Kind::kField || node.step.value.as_string() != prefix.front())
        continue;
      all |= prefix.size() == 1;
      if (prefix.size() > 1) rest.emplace_back(prefix.begin() + 1, prefix.end());
    }
    if (all)
      out.append(node.step, node.is_member, node.below);
    else if (!rest.empty())
      out.append(node.step, false, only_below(node.below, rest));
  }
  return out;
}

}  // namespace portico::fieldset
