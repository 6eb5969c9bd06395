// Sets of fields: what a manager owns in an object. Pure.
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

/// A set of paths, stored as a tree sorted by step. A path in the set does not imply the paths
/// above and below it. The empty path, the whole object, is never in a set. A value type: copies
/// are independent but share common parts.
class Set {
 public:
  bool empty() const;
  std::size_t size() const;  // number of paths

  void insert(std::span<const Step> path);
  bool has(std::span<const Step> path) const;

  std::span<const Node> nodes() const;
  const Node* find(const Step& step) const;
  /// Appends a node whose step must sort after all others; an empty node is ignored.
  void append(Step step, bool is_member, Set below);
  /// Builds a set from nodes in any order; nodes with equal steps are united.
  static Set of(std::vector<Node> nodes);

  /// Visits the paths in Kubernetes' order: those of one level before those below them.
  void visit(const std::function<void(const Path&)>& visitor) const;
  /// One path per line.
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

Set union_of(const Set& a, const Set& b);
Set intersection(const Set& a, const Set& b);
/// The paths of `a` that are not in `b`; paths above and below are independent.
Set difference(const Set& a, const Set& b);
/// The paths of `a` that are neither in `b` nor below a path in `b`.
Set difference_below(const Set& a, const Set& b);
/// The paths that have no other path of the set below them.
Set leaves(const Set& set);

/// The paths of `set` at or below one of `prefixes`, which are field names.
Set only_below(const Set& set, std::span<const std::vector<std::string>> prefixes);

/// FieldsV1: {"f:spec":{"f:size":{}}}; "." marks a path that is in the set and has paths below it.
json::Value to_fields(const Set& set);
/// The intersection of `set` and `fields` (from to_fields); reads only the fields that `set`
/// contains.
Set shared_with_fields(const Set& set, const json::Value& fields);
/// `fields` (from to_fields) without what is in `lost`, in the same form.
json::Value fields_without(const json::Value& fields, const Set& lost);
/// Parses what to_fields writes. Steps of an unknown kind are skipped with everything below them.
/// kInvalid for a value that is not a map, an invalid key, and more than 100 levels.
Result<Set> parse_fields(const json::Value& fields);

}  // namespace portico::fieldset
