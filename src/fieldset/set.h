// Sets of fields: what a manager owns of an object. Pure.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "fieldset/path.h"
#include "json/value.h"

namespace portico::fieldset {

struct Node;

/// Paths, kept as a tree in the order of steps. That a path is in the set says nothing of the paths
/// above and below it. The path of no steps, the object as a whole, is in no set. A value: copies
/// are independent, and share what they have in common.
class Set {
 public:
  bool empty() const;
  std::size_t size() const;  // paths

  void insert(std::span<const Step> path);
  bool has(std::span<const Step> path) const;

  std::span<const Node> nodes() const;
  const Node* find(const Step& step) const;
  /// A node whose step stands behind those of all others; an empty one is left out.
  void append(Step step, bool is_member, Set below);
  /// Nodes in any order; of equal steps the union.
  static Set of(std::vector<Node> nodes);

  /// Members in Kubernetes' order: those of one level before those below them.
  void visit(const std::function<void(const Path&)>& visitor) const;
  /// One path a line.
  std::string text() const;

  friend bool operator==(const Set& a, const Set& b);

 private:
  std::vector<Node>& own();

  std::shared_ptr<std::vector<Node>>
      nodes_;  // null or not empty; changed only where it is not shared
};

struct Node {
  Step step;
  bool is_member = false;
  Set below;

  friend bool operator==(const Node& a, const Node& b) = default;
};

inline bool Set::empty() const { return nodes_ == nullptr; }
inline std::span<const Node> Set::nodes() const {
  return nodes_ == nullptr ? std::span<const Node>() : std::span<const Node>(*nodes_);
}

Set united(const Set& a, const Set& b);
Set intersection(const Set& a, const Set& b);
/// What is in `a` and not in `b`; paths above and below are others.
Set difference(const Set& a, const Set& b);
/// What is in `a`, and neither in `b` nor below a path in `b`.
Set difference_below(const Set& a, const Set& b);
/// The paths with no other path of the set below them.
Set leaves(const Set& set);

/// The paths in `set` at or below one of `prefixes`, which are names of fields.
Set only_below(const Set& set, std::span<const std::vector<std::string>> prefixes);

/// FieldsV1: {"f:spec":{"f:size":{}}}; "." for what has paths below it and is in the set itself.
json::Value to_fields(const Set& set);
/// What is in `set` and in the set that `fields` says, which are as to_fields writes them: they are
/// looked at only where `set` has something.
Set shared_with_fields(const Set& set, const json::Value& fields);
/// `fields`, as to_fields writes them, without what is in `lost`; as it would be written.
json::Value fields_without(const json::Value& fields, const Set& lost);
/// Reads what to_fields writes. Steps of an unknown kind are passed over with all below them.
/// kInvalid for what is no map, a key that is no step, and more than 100 levels.
Result<Set> parse_fields(const json::Value& fields);

}  // namespace portico::fieldset
