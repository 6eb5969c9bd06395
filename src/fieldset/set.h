// Sets of fields: what a manager owns of an object. Pure.
#pragma once

#include <functional>
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
/// are independent.
class Set {
 public:
  Set();
  ~Set();
  Set(const Set&);
  Set(Set&&) noexcept;
  Set& operator=(const Set&);
  Set& operator=(Set&&) noexcept;

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
  std::vector<Node> nodes_;
};

struct Node {
  Step step;
  bool is_member = false;
  Set below;

  friend bool operator==(const Node& a, const Node& b) = default;
};

inline bool Set::empty() const { return nodes_.empty(); }
inline std::span<const Node> Set::nodes() const { return nodes_; }

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
/// Reads what to_fields writes. Steps of an unknown kind are passed over with all below them.
/// kInvalid for what is no map, a key that is no step, and more than 100 levels.
Result<Set> parse_fields(const json::Value& fields);

}  // namespace portico::fieldset
