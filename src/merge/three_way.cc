#include "merge/internal/three_way.h"

#include <algorithm>
#include <utility>

#include "merge/internal/comment_text.h"
#include "merge/internal/edits.h"
#include "merge/internal/node_values.h"
#include "merge/internal/pair_items.h"

namespace portico::merge::internal {
namespace {

bool has_comment(const krm::Object& object) { return object.text().find('#') != std::string::npos; }

bool is_one_line(const json::Value& value) {
  return value.is_string() && value.as_string().find('\n') == std::string_view::npos;
}

/// The member names of both maps, sorted and without duplicates.
std::vector<std::string_view> names_of(const json::Value* a, const json::Value* b) {
  std::vector<std::string_view> names;
  for (const json::Value* map : {a, b})
    if (map != nullptr)
      for (const json::Member& member : map->members()) names.push_back(member.name());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

ThreeWay::ThreeWay(const krm::Object* base, const krm::Object& theirs, const krm::Object& ours,
                   const TreeOptions& options)
    : base_(base), theirs_(theirs), ours_(ours), options_(options) {
  has_comments_ =
      has_comment(theirs) || has_comment(ours) || (base != nullptr && has_comment(*base));
  if (!has_comments_) return;
  comments_changed_ =
      base != nullptr && comment_lines(base->text()) != comment_lines(theirs.text());
  for (const krm::Object* object : {base, &theirs, &ours})
    if (object != nullptr && may_hold_schema(object->text())) has_schema_comments_ = true;
}

Result<Merged> ThreeWay::run() {
  Merged merged{ours_, {}};
  if (base_ != nullptr && base_->text() == theirs_.text()) return merged;
  // Nothing changed locally. A null upstream is a removal, not a value, so it needs the walk.
  if (base_ != nullptr && base_->text() == ours_.text() && options_.keep.empty() &&
      !has_null(theirs_.value()))
    return Merged{theirs_, {}};
  Node root{nullptr, &theirs_.value(), &ours_.value(), options_.schema, false};
  if (base_ != nullptr) root.base = &base_->value();
  if (merge(root) == Effect::kRemoved) return portico::internal("a merge removed a whole object");

  if (options_.on_conflict == OnConflict::kFail) PORTICO_DO(refuse(conflicts_));
  merged.conflicts = std::move(conflicts_);
  // Comments first: they move nothing, so the paths of the edits stay valid.
  krm::Object theirs = theirs_;
  for (const Comment& comment : their_comments_)
    PORTICO_DO(theirs.set_line_comment(comment.path, comment.text), krm::path_text(comment.path));
  if (!prunes_.empty()) {
    std::vector<krm::Edit> cuts;
    for (krm::Path& path : prunes_) cuts.push_back(removal(std::move(path)));
    PORTICO_DO(theirs.edit(cuts));
  }
  for (const Comment& comment : our_comments_)
    PORTICO_DO(merged.object.set_line_comment(comment.path, comment.text),
               krm::path_text(comment.path));
  if (edits_.empty()) return merged;
  for (krm::Edit& edit : edits_)
    if (!edit.from_path.empty()) edit.from = &theirs;
  PORTICO_DO(merged.object.edit(edits_));
  return merged;
}

ThreeWay::Effect ThreeWay::merge(const Node& node) {
  const auto& [base, theirs, ours, schema, is_item, is_gone] = node;
  if (same(base, theirs)) {
    if (comments_changed_) merge_comments(node);
    return Effect::kKept;
  }
  if (theirs == nullptr) return removed_upstream(node);
  if (ours == nullptr) return missing_here(node);
  if (same(theirs, ours)) {
    if (comments_changed_) merge_comments(node);
    return Effect::kKept;
  }
  if (theirs->is_null()) {
    if (!same(base, ours) && !settle_conflict(node, "cleared upstream, set here"))
      return Effect::kKept;
    remove();
    return Effect::kRemoved;
  }
  if (ours->is_null() && !is_missing(base)) {
    // A local null requests removal of the field.
    report(node, "cleared here, changed upstream", false);
    if (options_.on_conflict == OnConflict::kLocal) return Effect::kKept;
    remove();
    return Effect::kRemoved;
  }
  if (ours->is_object() && theirs->is_object()) return merge_maps(node);
  if (ours->is_array() && theirs->is_array()) return merge_lists(node);
  return replace(node);
}

ThreeWay::Effect ThreeWay::merge_maps(const Node& node) {
  if (node.ours->empty()) return fill_empty(node);
  if (comments_changed_ && !ours_at_.empty()) settle_comment(node, false);
  const std::size_t mark = edits_.size();
  const Schema schema = commented_schema(node.schema);
  const Value* base = node.base != nullptr && node.base->is_object() ? node.base : nullptr;
  std::size_t left = 0;
  for (const std::string_view name : names_of(node.theirs, node.ours)) {
    const Value* ours = node.ours->find(name);
    enter(std::string(name), name);
    const Effect effect = is_kept_field()
                              ? Effect::kKept
                              : merge({base == nullptr ? nullptr : base->find(name),
                                       node.theirs->find(name), ours, schema.field(name), false});
    leave();
    if (ours == nullptr ? effect == Effect::kChanged : effect != Effect::kRemoved) ++left;
  }
  if (left > 0) return edits_.size() == mark ? Effect::kKept : Effect::kChanged;
  edits_.resize(mark);
  set_value(Value::object());
  return Effect::kChanged;
}

/// The local collection is present but empty: upstream's changes replace it as a whole.
ThreeWay::Effect ThreeWay::fill_empty(const Node& node) {
  const std::size_t mark = prunes_.size();
  const UpstreamChange news = prune_unchanged(node.base, *node.theirs, node.schema, {});
  if (news == UpstreamChange::kNone || (news == UpstreamChange::kChanged &&
                                        !settle_conflict(node, "emptied here, changed upstream"))) {
    prunes_.resize(mark);
    return Effect::kKept;
  }
  settle_comment(node, true);
  take_theirs(false);
  return Effect::kChanged;
}

ThreeWay::Effect ThreeWay::removed_upstream(const Node& node) {
  const auto& [base, theirs, ours, schema, is_item, is_gone] = node;
  if (ours == nullptr) return Effect::kKept;
  if (!same(base, ours)) {
    if (ours->is_null()) return Effect::kKept;  // neither side has a value, null or absent
    if (ours->is_object() && base->is_object() && !is_item) {
      // Local additions stay, even if upstream removed the map around them.
      const std::size_t mark = edits_.size();
      std::size_t left = 0;
      for (const json::Member& member : ours->members()) {
        enter(std::string(member.name()), member.name());
        const Value* before = base->find(member.name());
        const bool stays =
            before == nullptr || merge({before, nullptr, &member.value, schema.field(member.name()),
                                        false}) != Effect::kRemoved;
        leave();
        if (stays) ++left;
      }
      if (left > 0 || ours->empty())
        return edits_.size() == mark ? Effect::kKept : Effect::kChanged;
      edits_.resize(mark);
    } else if (const auto effect = removed_items(node)) {
      return *effect;
    } else if (!settle_conflict(node, "removed upstream, changed here")) {
      return Effect::kKept;
    }
  }
  remove();
  return Effect::kRemoved;
}

ThreeWay::Effect ThreeWay::missing_here(const Node& node, const std::vector<std::string>& keys) {
  if (!is_missing(node.base)) {
    if (node.theirs->is_null()) return Effect::kKept;
    const std::size_t mark = prunes_.size();
    if (prune_unchanged(node.base, *node.theirs, node.schema, keys) == UpstreamChange::kNone ||
        !settle_conflict(node, "removed here, changed upstream")) {
      prunes_.resize(mark);
      return Effect::kKept;
    }
  }
  take_theirs(node.is_item);
  return Effect::kChanged;
}

ThreeWay::Effect ThreeWay::replace(const Node& node) {
  if (!same(node.base, node.ours) && !settle_conflict(node, "changed on both sides"))
    return Effect::kKept;
  settle_comment(node, true);
  // A one-line text keeps the local quotes; anything else is written as in upstream.
  if (is_one_line(*node.theirs) && is_one_line(*node.ours)) {
    set_value(*node.theirs);
  } else {
    take_theirs(false);
  }
  return Effect::kChanged;
}

ThreeWay::UpstreamChange ThreeWay::prune_unchanged(const Value* base, const Value& theirs,
                                                   const Schema& schema,
                                                   const std::vector<std::string>& keys) {
  if (is_missing(base)) return UpstreamChange::kAdded;
  if (*base == theirs) return UpstreamChange::kNone;
  if (base->is_array() && theirs.is_array()) {
    const ListRule rule = rule_for(Node{base, &theirs, nullptr, schema, false});
    return prune_items(*base, theirs, rule, schema.item());
  }
  if (!base->is_object() || !theirs.is_object()) return UpstreamChange::kChanged;
  const std::size_t mark = prunes_.size();
  UpstreamChange news = UpstreamChange::kNone;
  for (const json::Member& member : theirs.members()) {
    if (std::find(keys.begin(), keys.end(), member.name()) != keys.end()) continue;
    theirs_at_.emplace_back(std::string(member.name()));
    const UpstreamChange own =
        prune_unchanged(base->find(member.name()), member.value, schema.field(member.name()), {});
    if (own == UpstreamChange::kNone) prunes_.push_back(theirs_at_);
    news = std::max(news, own);
    theirs_at_.pop_back();
  }
  if (news == UpstreamChange::kNone) prunes_.resize(mark);
  return news;
}

bool ThreeWay::is_kept_field() const {
  for (const std::vector<std::string>& names : options_.keep) {
    if (names.size() != ours_at_.size()) continue;
    bool equal = true;
    for (std::size_t i = 0; i < names.size() && equal; ++i) {
      const auto* name = std::get_if<std::string>(&ours_at_[i]);
      equal = name != nullptr && *name == names[i];
    }
    if (equal) return true;
  }
  return false;
}

Schema ThreeWay::commented_schema(const Schema& schema) {
  if (!has_schema_comments_ || ours_at_.empty()) return schema;
  const std::pair<const krm::Object*, const krm::Path*> versions[] = {
      {&ours_, &ours_at_}, {base_, &base_at_}, {&theirs_, &theirs_at_}};
  for (const auto& [object, path] : versions) {
    if (object == nullptr) continue;
    auto found = internal::commented_schema(*object, *path);
    if (!found) continue;
    schemas_.push_back(*std::move(found));
    return Schema::json(schemas_.back());
  }
  return schema;
}

void ThreeWay::merge_comments(const Node& node) {
  if (is_missing(node.ours) || is_missing(node.theirs)) return;
  if (!ours_at_.empty()) settle_comment(node, false);
  if (node.ours->is_object() && node.theirs->is_object()) {
    for (const json::Member& member : node.theirs->members()) {
      const Value* ours = node.ours->find(member.name());
      if (ours == nullptr) continue;
      enter(std::string(member.name()), member.name());
      if (!is_kept_field())
        merge_comments({node.base == nullptr ? nullptr : node.base->find(member.name()),
                        &member.value, ours, node.schema.field(member.name()), false});
      leave();
    }
  } else if (node.ours->is_array() && node.theirs->is_array()) {
    Node list = node;
    list.schema = commented_schema(node.schema);
    for (const ItemMatch& trio : comment_pairs(list)) {
      enter_item(trio, "");
      merge_comments({item_at(node.base, trio.base), item_at(node.theirs, trio.theirs),
                      item_at(node.ours, trio.ours), list.schema.item(), true});
      leave();
    }
  }
}

/// Three-way merges the comment on the node's line. Where the value is replaced, both texts get the
/// result, so that it does not matter which one the edit keeps.
void ThreeWay::settle_comment(const Node& node, bool replaced) {
  if (!has_comments_) return;
  const std::string base = node.base == nullptr ? "" : base_->line_comment(base_at_);
  const std::string theirs = theirs_.line_comment(theirs_at_);
  const std::string ours = ours_.line_comment(ours_at_);
  // Where both sides changed a scalar and upstream wins, upstream's changed comment wins too.
  const bool overruled =
      replaced && theirs != base && !is_collection(*node.theirs) && !same(node.base, node.ours);
  const std::string& text = ours == base || overruled ? theirs : ours;
  if (text != ours) our_comments_.push_back({ours_at_, text});
  if (replaced && text != theirs) their_comments_.push_back({theirs_at_, text});
}

bool ThreeWay::settle_conflict(const Node& node, std::string_view rule) {
  const bool take_theirs = options_.on_conflict != OnConflict::kLocal;
  report(node, rule, take_theirs);
  return take_theirs;
}

void ThreeWay::report(const Node& node, std::string_view rule, bool took_theirs) {
  Conflict conflict;
  conflict.object = ours_.id();
  conflict.field = field_.text();
  if (node.base != nullptr) conflict.base = *node.base;
  if (node.ours != nullptr) conflict.ours = *node.ours;
  if (node.theirs != nullptr) conflict.theirs = *node.theirs;
  conflict.took_theirs = took_theirs;
  conflict.rule = rule;
  conflicts_.push_back(std::move(conflict));
}

void ThreeWay::take_theirs(bool is_item) {
  const auto verb = is_item ? krm::Edit::Verb::kInsert : krm::Edit::Verb::kSet;
  edits_.push_back(copy(verb, ours_at_, theirs_at_));
}

void ThreeWay::set_value(Value value) { edits_.push_back(assignment(ours_at_, std::move(value))); }

void ThreeWay::remove() { edits_.push_back(removal(ours_at_)); }

void ThreeWay::enter(std::string name, std::string_view label) {
  field_.enter(label);
  base_at_.emplace_back(name);
  theirs_at_.emplace_back(name);
  ours_at_.emplace_back(std::move(name));
}

void ThreeWay::enter_item(const ItemMatch& trio, std::string_view label) {
  field_.enter_item(label);
  base_at_.emplace_back(trio.base);
  theirs_at_.emplace_back(trio.theirs);
  ours_at_.emplace_back(trio.ours);
}

void ThreeWay::leave() {
  base_at_.pop_back();
  theirs_at_.pop_back();
  ours_at_.pop_back();
  field_.leave();
}

}  // namespace portico::merge::internal
