// A sorted map whose copies cost nothing and share all nodes until one of them changes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace portico {

/// A B-tree (copy on write): a node that another map shares is copied, an unshared node is changed
/// in place. A change costs O(log n); a thousand in a row cost hardly more than in an unshared map.
/// Less may be transparent. As thread-safe as an int, for each map on its own; shared nodes are
/// never changed.
template <class Key, class Value, class Less = std::less<>>
class PersistentMap {
  struct Node;

 public:
  struct Entry {
    Key key;
    Value value;
  };

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  template <class K>
  const Value* find(const K& key) const {
    const Node* node = root_.get();
    if (node == nullptr) return nullptr;
    while (!node->is_leaf()) node = node->children[node->child_of(key)].node.get();
    const std::size_t at = node->lower(key);
    return node->holds(at, key) ? &node->entries[at].value : nullptr;
  }

  /// How many keys are less than this one.
  template <class K>
  std::size_t rank(const K& key) const {
    const Node* node = root_.get();
    if (node == nullptr) return 0;
    std::size_t before = 0;
    while (!node->is_leaf()) {
      const std::size_t at = node->child_of(key);
      for (std::size_t i = 0; i < at; ++i) before += node->children[i].size;
      node = node->children[at].node.get();
    }
    return before + node->lower(key);
  }

  /// The value of `key`, to be changed. If there is none, it is inserted first (and the second is
  /// true) under the key that make() returns. Valid until the map is changed or copied.
  template <class K, class Make>
  std::pair<Value*, bool> edit(const K& key, const Make& make) {
    if (root_ == nullptr) root_ = std::make_shared<Node>();
    Inserted done = insert(own(root_), key, make);
    size_ += done.added ? 1 : 0;
    if (done.split.node != nullptr) {
      auto above = std::make_shared<Node>();
      const std::size_t left = size_ - done.split.size;
      above->children.push_back({first_key(*root_), std::move(root_), left});
      above->children.push_back(std::move(done.split));
      root_ = std::move(above);
    }
    return {done.value, done.added};
  }
  std::pair<Value*, bool> edit(const Key& key) {
    return edit(key, [&] { return key; });
  }

  template <class K>
  bool erase(const K& key) {
    if (find(key) == nullptr) return false;
    erase_from(own(root_), key);
    if (--size_ == 0) root_ = nullptr;
    while (root_ != nullptr && root_->children.size() == 1)
      root_ = std::shared_ptr<Node>(root_->children.front().node);
    return true;
  }

  /// In key order. Valid until the map is changed or destroyed.
  class Iterator {
   public:
    explicit operator bool() const { return !path_.empty(); }
    const Entry& operator*() const { return path_.back().node->entries[path_.back().at]; }
    const Entry* operator->() const { return &**this; }

    Iterator& operator++() {
      ++path_.back().at;
      settle();
      return *this;
    }
    /// Advances to the first entry that is not less than `key`; never goes back.
    template <class K>
    void seek(const K& key) {
      if (path_.empty()) return;
      Frame& leaf = path_.back();
      if (!Less()(leaf.node->entries[leaf.at].key, key)) return;
      const std::size_t at = leaf.node->lower(key);
      if (at < leaf.node->entries.size())
        leaf.at = at;
      else
        *this = Iterator(path_.front().node, key);
    }

   private:
    friend PersistentMap;
    struct Frame {
      const Node* node;
      std::size_t at;
    };

    Iterator() = default;
    template <class K>
    Iterator(const Node* node, const K& key) {
      while (!node->is_leaf()) {
        path_.push_back({node, node->child_of(key)});
        node = node->children[path_.back().at].node.get();
      }
      path_.push_back({node, node->lower(key)});
      settle();
    }

    /// Moves from the end of a node to the beginning of the next.
    void settle() {
      while (!path_.empty() && path_.back().at == path_.back().node->count()) {
        path_.pop_back();
        if (!path_.empty()) ++path_.back().at;
      }
      while (!path_.empty() && !path_.back().node->is_leaf()) {
        const Frame& frame = path_.back();
        path_.push_back({frame.node->children[frame.at].node.get(), 0});
      }
    }

    std::vector<Frame> path_;  // from the root to the leaf; empty at the end
  };

  /// Starts at the first entry, or at the first that is not less than `key`.
  Iterator begin() const {
    Iterator out;
    if (root_ != nullptr) out.path_.push_back({root_.get(), 0});
    out.settle();
    return out;
  }
  template <class K>
  Iterator lower_bound(const K& key) const {
    return root_ == nullptr ? Iterator() : Iterator(root_.get(), key);
  }

 private:
  static constexpr std::size_t kMost = 32, kFew = 8;  // entries or children per node

  struct Child {
    Key first;  // <= all keys below, > all keys before; arbitrary for a first child
    std::shared_ptr<Node> node;
    std::size_t size = 0;  // entries below
  };
  struct Node {
    std::vector<Entry> entries;   // in a leaf
    std::vector<Child> children;  // in any other node

    bool is_leaf() const { return children.empty(); }
    std::size_t count() const { return is_leaf() ? entries.size() : children.size(); }

    template <class K>
    std::size_t lower(const K& key) const {
      const auto at =
          std::lower_bound(entries.begin(), entries.end(), key,
                           [](const Entry& entry, const K& k) { return Less()(entry.key, k); });
      return static_cast<std::size_t>(at - entries.begin());
    }
    template <class K>
    bool holds(std::size_t at, const K& key) const {
      return at < entries.size() && !Less()(key, entries[at].key);
    }
    template <class K>
    std::size_t child_of(const K& key) const {
      const auto after =
          std::upper_bound(children.begin() + 1, children.end(), key,
                           [](const K& k, const Child& child) { return Less()(k, child.first); });
      return static_cast<std::size_t>(after - children.begin()) - 1;
    }
  };
  struct Inserted {
    Value* value = nullptr;
    bool added = false;
    Child split{};  // the new right sibling; no node without a split
  };

  // A node with one owner belongs to no other map, so no other thread can reach it.
  static Node& own(std::shared_ptr<Node>& node) {
    if (node.use_count() != 1) node = std::make_shared<Node>(*node);
    return *node;
  }

  static const Key& first_key(const Node& node) {
    return node.is_leaf() ? node.entries.front().key : node.children.front().first;
  }

  /// How many entries stay on the left: appending at the end leaves full nodes behind.
  static std::size_t keep(std::size_t added_at, std::size_t count) {
    return added_at + 1 == count ? added_at : count / 2;
  }

  template <class K, class Make>
  static Inserted insert(Node& node, const K& key, const Make& make) {
    if (!node.is_leaf()) return insert_below(node, key, make);
    const std::size_t at = node.lower(key);
    if (node.holds(at, key)) return {&node.entries[at].value, false, {}};
    const auto begin = node.entries.begin();
    node.entries.insert(begin + static_cast<std::ptrdiff_t>(at), Entry{make(), Value()});
    if (node.entries.size() <= kMost) return {&node.entries[at].value, true, {}};
    const std::size_t left = keep(at, node.entries.size());
    auto right = std::make_shared<Node>();
    move_tail(node.entries, left, right->entries);
    Value* value = at < left ? &node.entries[at].value : &right->entries[at - left].value;
    const std::size_t size = right->entries.size();
    return {value, true, Child{right->entries.front().key, std::move(right), size}};
  }

  template <class K, class Make>
  static Inserted insert_below(Node& node, const K& key, const Make& make) {
    const std::size_t at = node.child_of(key);
    Inserted done = insert(own(node.children[at].node), key, make);
    node.children[at].size += done.added ? 1 : 0;
    if (done.split.node == nullptr) return done;
    node.children[at].size -= done.split.size;
    node.children.insert(node.children.begin() + static_cast<std::ptrdiff_t>(at + 1),
                         std::exchange(done.split, Child()));
    if (node.children.size() <= kMost) return done;
    auto right = std::make_shared<Node>();
    move_tail(node.children, keep(at + 1, node.children.size()), right->children);
    done.split = Child{right->children.front().first, right, 0};
    for (const Child& child : right->children) done.split.size += child.size;
    return done;
  }

  template <class K>
  static void erase_from(Node& node, const K& key) {
    if (node.is_leaf()) {
      node.entries.erase(node.entries.begin() + static_cast<std::ptrdiff_t>(node.lower(key)));
      return;
    }
    const std::size_t at = node.child_of(key);
    erase_from(own(node.children[at].node), key);
    if (--node.children[at].size == 0)
      node.children.erase(node.children.begin() + static_cast<std::ptrdiff_t>(at));
    else if (node.children[at].node->count() < kFew)
      merge_with_neighbour(node, at);
  }

  static void merge_with_neighbour(Node& node, std::size_t at) {
    if (at + 1 == node.children.size()) {
      if (at == 0) return;
      --at;
    }
    const std::size_t both = node.children[at].node->count() + node.children[at + 1].node->count();
    if (both > kMost) return;
    Node& left = own(node.children[at].node);
    Node& right = own(node.children[at + 1].node);
    if (!right.is_leaf()) right.children.front().first = node.children[at + 1].first;
    move_tail(right.entries, 0, left.entries);
    move_tail(right.children, 0, left.children);
    node.children[at].size += node.children[at + 1].size;
    node.children.erase(node.children.begin() + static_cast<std::ptrdiff_t>(at + 1));
  }

  template <class T>
  static void move_tail(std::vector<T>& from, std::size_t keep, std::vector<T>& to) {
    const auto tail = from.begin() + static_cast<std::ptrdiff_t>(keep);
    to.insert(to.end(), std::make_move_iterator(tail), std::make_move_iterator(from.end()));
    from.erase(tail, from.end());
  }

  std::shared_ptr<Node> root_;
  std::size_t size_ = 0;
};

}  // namespace portico
