// From planned values to changes of a document's text.
#pragma once

#include "json/value.h"
#include "krm/internal/plan.h"
#include "yaml/edit.h"

namespace portico::krm {

/// Tells an editor what to change. `needs_expansion` says afterwards that an edit lies behind an
/// alias or a merge key, which must be written out first.
class Rewriter {
 public:
  /// `copy_text`: nodes of other objects are copied as they are written; else as values.
  Rewriter(const yaml::Document& document, yaml::Editor& editor, bool copy_text)
      : document_(document), editor_(editor), copy_text_(copy_text) {}

  /// Carries out a plan at a node whose value is `value`.
  void apply(yaml::NodeId node, const json::Value& value, const Plan& plan);
  bool needs_expansion() const { return needs_expansion_; }

 private:
  /// Makes the node, whose value is `value`, have the value `desired`.
  void update(yaml::NodeId node, const json::Value& value, const json::Value& desired);
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
  std::vector<std::string> key_order_;  // of what is being set
  bool needs_expansion_ = false;
};

/// The text with every alias and merge key written out.
std::string expanded_text(const yaml::Document& document, const json::Value& value);

/// The parse that an object stands on (object.cc).
const yaml::Document& document_of(const Object& object);

}  // namespace portico::krm
