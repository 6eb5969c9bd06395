// Turns planned values into changes of a document's text.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "json/value.h"
#include "krm/internal/plan.h"
#include "yaml/edit.h"

namespace portico::krm {

/// Every alias of a document.
std::set<yaml::NodeId> all_aliases(const yaml::Document& document);
bool has_merge_keys(const yaml::Document& document);

/// Passes the changes to an editor. An edit behind an alias or a merge key, or of the node that one
/// refers to, would change more than intended. In that case to_expand() returns afterwards the
/// aliases and merge keys to expand first, and the changes passed to the editor must be discarded.
class Rewriter {
 public:
  /// `copy_text`: whether nodes of other objects are copied as text or as values.
  Rewriter(const yaml::Document& document, yaml::Editor& editor, bool copy_text)
      : document_(document),
        editor_(editor),
        copy_text_(copy_text),
        aliases_(all_aliases(document)),
        has_merges_(has_merge_keys(document)) {}

  /// Carries out a plan at a node whose value is `value`.
  void apply(yaml::NodeId node, const json::Value& value, const Plan& plan);
  /// Aliases, and the values of merge keys.
  std::set<yaml::NodeId> to_expand() const;

 private:
  /// Changes the node, whose value is `value`, to the value `desired`.
  void update(yaml::NodeId node, const json::Value& value, const json::Value& desired);
  void replace(yaml::NodeId node, const yaml::Tree& tree);
  void remove(yaml::NodeId parent, yaml::NodeId child);
  bool is_merged(yaml::NodeId map, std::string_view name) const;
  void remove_member(yaml::NodeId map, yaml::NodeId key, std::string_view name);
  void rename(yaml::NodeId key, const Edit& edit);
  void expand_merges(yaml::NodeId map);
  void apply_members(yaml::NodeId node, const json::Value& value, const Plan& plan);
  void apply_items(yaml::NodeId node, const json::Value& value, const Plan& plan);
  void set(yaml::NodeId node, const json::Value& value, const Edit& edit);
  void update_map(yaml::NodeId node, const json::Value& value, const json::Value& desired);
  void update_list(yaml::NodeId node, const json::Value& value, const json::Value& desired);
  yaml::Tree tree(const Plan& plan) const;
  yaml::Tree tree(const Edit& edit) const;

  const yaml::Document& document_;
  yaml::Editor& editor_;
  bool copy_text_;
  std::set<yaml::NodeId> aliases_;
  bool has_merges_;
  std::vector<std::string> key_order_;  // for the value being set
  std::set<yaml::NodeId> expand_;
  std::set<yaml::NodeId> touched_;  // nodes whose value changes but that stay; kept for aliases
  std::vector<yaml::NodeId> gone_;
};

/// The text with these aliases and merge keys expanded.
std::string expanded_text(const yaml::Document& document, const json::Value& value,
                          const std::set<yaml::NodeId>& which);
/// The parsed document of an object (object.cc).
const yaml::Document& document_of(const Object& object);

}  // namespace portico::krm
