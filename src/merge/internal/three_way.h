// Walks three versions of one object to find the changes that the local one needs.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merge/internal/field_text.h"
#include "merge/internal/pair_items.h"
#include "merge/tree.h"

namespace portico::merge::internal {

/// One walk. Changes are found by comparing json::Values; the results are edits of the local text,
/// whose paths are those before any edit.
class ThreeWay {
 public:
  ThreeWay(const krm::Object* base, const krm::Object& theirs, const krm::Object& ours,
           const TreeOptions& options);
  Result<Merged> run();

 private:
  using Value = json::Value;
  /// What happened to the local value.
  enum class Effect { kKept, kChanged, kRemoved };
  struct Comment {
    krm::Path path;
    std::string text;
  };

  /// One place of the object. nullptr: this version has nothing there.
  struct Node {
    const Value* base = nullptr;
    const Value* theirs = nullptr;
    const Value* ours = nullptr;
    Schema schema;
    bool is_item = false;  // a list item: added by insertion
    bool is_gone = false;  // a list that upstream removed: `theirs` is an empty list
  };

  Effect merge(const Node& node);
  Effect merge_maps(const Node& node);
  Effect merge_lists(const Node& node);
  Effect merge_sets(const Node& node);
  Effect merge_items(const Node& node, const ListRule& rule);
  Effect removed_upstream(const Node& node);
  std::optional<Effect> removed_items(const Node& node);
  Effect emptied(const Node& node);
  Effect missing_here(const Node& node, const std::vector<std::string>& keys = {});
  Effect replace(const Node& node);
  Effect fill_empty(const Node& node);

  /// How an upstream value differs from the base. Greater values take precedence.
  enum class UpstreamChange { kNone, kAdded, kChanged };
  /// Marks the parts of `theirs` that equal `base` for pruning, except the fields in `keys`.
  UpstreamChange prune_unchanged(const Value* base, const Value& theirs, const Schema& schema,
                                 const std::vector<std::string>& keys);
  UpstreamChange prune_items(const Value& base, const Value& theirs, const ListRule& rule,
                             const Schema& item);

  ListRule rule_for(const Node& node) const;
  Schema commented_schema(const Schema& schema);
  bool is_kept_field() const;

  void merge_comments(const Node& node);
  std::vector<ItemMatch> comment_pairs(const Node& node) const;
  void settle_comment(const Node& node, bool replaced);
  /// True where upstream's version is to be taken.
  bool settle_conflict(const Node& node, std::string_view rule);
  void report(const Node& node, std::string_view rule, bool took_theirs);

  void take_theirs(bool is_item);
  void set_value(Value value);
  void remove();

  void enter(std::string name, std::string_view label);
  void enter_item(const ItemMatch& trio, std::string_view label);
  void leave();

  const krm::Object* base_;
  const krm::Object& theirs_;
  const krm::Object& ours_;
  const TreeOptions& options_;

  bool has_comments_ = false;      // any version has a comment
  bool comments_changed_ = false;  // upstream changed, added or removed a comment
  bool has_schema_comments_ = false;
  std::deque<Value> schemas_;  // found in comments

  krm::Path base_at_, theirs_at_, ours_at_;
  FieldText field_;

  std::vector<krm::Edit> edits_;   // edits of ours; `from` is set at the end
  std::vector<krm::Path> prunes_;  // paths in theirs
  std::vector<Comment> our_comments_, their_comments_;
  std::vector<Conflict> conflicts_;
};

}  // namespace portico::merge::internal
