#include "merge/patch.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "merge/internal/comment_text.h"
#include "merge/internal/edits.h"
#include "merge/internal/node_values.h"
#include "merge/internal/pair_items.h"

namespace portico::merge {
namespace {

using internal::kNoItem;
using json::Value;

constexpr std::string_view kDirective = "$patch";

Result<Directive> parse_directive(const Value& value) {
  const std::string_view word = value.as_string();
  if (word == "merge") return Directive::kMerge;
  if (word == "replace") return Directive::kReplace;
  if (word == "delete") return Directive::kDelete;
  return invalid("unknown patch strategy \"{}\": must be merge, replace or delete", word);
}

bool is_directive_item(const Value& item) { return item.size() == 1 && item.contains(kDirective); }

/// The directive of a map or list; kMerge where it has none.
Result<Directive> directive_of(const Value& patch) {
  if (const Value* word = patch.find(kDirective)) return parse_directive(*word);
  Directive directive = Directive::kMerge;
  for (const Value& item : patch.items())
    if (is_directive_item(item)) {
      PORTICO_TRY(directive, parse_directive(item[kDirective]));
    }
  return directive;
}

class Patching {
 public:
  Patching(const krm::Object& patch, const krm::Object& object, const PatchOptions& options)
      : patch_(patch),
        object_(object),
        options_(options),
        has_schemas_(internal::may_hold_schema(object.text())) {}

  Result<std::optional<krm::Object>> run() {
    PORTICO_DO(apply(patch_.value(), &object_.value(), options_.schema, false));
    if (deleted_) return std::optional<krm::Object>();
    krm::Object clean = patch_;
    std::vector<krm::Edit> cuts;
    for (krm::Path& path : prunes_) cuts.push_back(internal::removal(std::move(path)));
    if (!cuts.empty()) PORTICO_DO(clean.edit(cuts), "patch");
    krm::Object result = object_;
    for (const auto& [path, comment] : comments_)
      PORTICO_DO(result.set_line_comment(path, comment), krm::path_text(path));
    for (krm::Edit& edit : edits_)
      if (!edit.from_path.empty()) edit.from = &clean;
    if (whole_patch_) return std::optional(clean);
    if (!edits_.empty()) PORTICO_DO(result.edit(edits_));
    return std::optional(std::move(result));
  }

 private:
  /// `ours` is nullptr if the object has nothing there.
  Result<Done> apply(const Value& patch, const Value* ours, const Schema& schema, bool is_item) {
    if (patch.is_null()) return remove(ours);
    if (!internal::is_collection(patch)) return apply_scalar(patch, ours);
    Schema here = schema;
    if (has_schemas_ && ours != nullptr && !at_.empty())
      if (auto found = internal::commented_schema(object_, at_)) {
        schemas_.push_back(std::make_unique<Value>(*std::move(found)));
        here = Schema::json(*schemas_.back());
      }
    const bool is_list = patch.is_array();
    const ListRule rule = is_list ? rule_for(patch, ours, here) : ListRule{};
    PORTICO_TRY(Directive directive, directive_of(patch));
    if (is_list && rule.kind == ListRule::Kind::kAtomic) directive = Directive::kReplace;
    if (directive == Directive::kDelete) return remove(ours);
    const bool same_kind =
        ours != nullptr && (is_list ? ours->is_array() : ours->is_object()) && !ours->empty();
    if (directive == Directive::kReplace || !same_kind) {
      if (patch.empty() && ours != nullptr && ours->is_object() && !is_list) return Done{};
      return take(patch, is_item);
    }
    if (!is_list) return apply_members(patch, *ours, here);
    if (rule.kind == ListRule::Kind::kSet) return apply_set(patch, *ours);
    return apply_items(patch, *ours, here, rule);
  }

  Result<Done> apply_members(const Value& patch, const Value& ours, const Schema& schema) {
    for (const json::Member& member : patch.members()) {
      if (member.name() == kDirective) continue;
      const std::string name(member.name());
      enter(name, name, name);
      PORTICO_DO(apply(member.value, ours.find(name), schema.field(name), false), name);
      leave();
    }
    return Done{};
  }

  Result<Done> apply_scalar(const Value& patch, const Value* ours) {
    if (ours == nullptr) {
      edits_.push_back(internal::copy(krm::Edit::Verb::kSet, at_, clean_at_));
      return Done{};
    }
    const std::string comment = patch_.line_comment(patch_at_);
    if (patch == *ours && comment.empty()) return Done{};
    if (comment != object_.line_comment(at_) && !internal::is_collection(*ours))
      comments_.emplace_back(at_, comment);
    if (patch == *ours) return Done{};
    edits_.push_back(patch.is_string() ? internal::assignment(at_, patch)
                                       : internal::copy(krm::Edit::Verb::kSet, at_, clean_at_));
    return Done{};
  }

  Result<Done> apply_set(const Value& patch, const Value& ours) {
    for (std::size_t i = 0; i < patch.size(); ++i) {
      const auto items = ours.items();
      if (std::find(items.begin(), items.end(), patch[i]) != items.end()) continue;
      enter(i, i, options_.prepend ? 0 : ours.size());
      edits_.push_back(internal::copy(krm::Edit::Verb::kInsert, at_, clean_at_));
      leave();
    }
    return Done{};
  }

  Result<Done> apply_items(const Value& patch, const Value& ours, const Schema& schema,
                           const ListRule& rule) {
    std::vector<Value> kept;           // the patch's items, without directives
    std::vector<std::size_t> indices;  // their indices in the patch
    bool directed = false;             // "$patch: merge": makes kyaml insert new items in front
    for (std::size_t i = 0; i < patch.size(); ++i) {
      if (is_directive_item(patch[i])) {
        directed = true;
        patch_at_.emplace_back(i);
        prunes_.push_back(patch_at_);
        patch_at_.pop_back();
        continue;
      }
      kept.push_back(patch[i]);
      indices.push_back(i);
    }
    const Value items = Value::array(kept);
    const auto pairs = internal::pair_items(rule, Value::array(), items, ours);
    if (!pairs) return take(patch, false);
    std::vector<std::size_t> place(items.size(), kNoItem);
    for (const internal::ItemMatch& pair : *pairs)
      if (pair.theirs != kNoItem) place[pair.theirs] = pair.ours;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const bool is_new = place[i] == kNoItem;
      const bool in_front = options_.prepend || directed;
      enter(indices[i], i, !is_new ? place[i] : in_front ? place_in_front(place, i) : ours.size());
      PORTICO_DO(apply(items[i], is_new ? nullptr : &ours[place[i]], schema.item(), is_new));
      leave();
    }
    return Done{};
  }

  /// Before the next patch item that exists in the object, else after the previous existing one.
  static std::size_t place_in_front(const std::vector<std::size_t>& place, std::size_t item) {
    for (std::size_t i = item + 1; i < place.size(); ++i)
      if (place[i] != kNoItem) return place[i];
    for (std::size_t i = item; i-- > 0;)
      if (place[i] != kNoItem) return place[i] + 1;
    return 0;
  }

  Result<Done> take(const Value& patch, bool is_item) {
    prune(patch);
    if (at_.empty()) {
      whole_patch_ = true;
      return Done{};
    }
    const auto verb = is_item ? krm::Edit::Verb::kInsert : krm::Edit::Verb::kSet;
    edits_.push_back(internal::copy(verb, at_, clean_at_));
    return Done{};
  }

  Result<Done> remove(const Value* ours) {
    if (at_.empty()) {
      deleted_ = true;
    } else if (ours != nullptr) {
      edits_.push_back(internal::removal(at_));
    }
    return Done{};
  }

  /// Cuts directives, deletions and nulls out of a part of the patch that is taken as a whole.
  void prune(const Value& patch) {
    for (const json::Member& member : patch.members()) {
      patch_at_.emplace_back(std::string(member.name()));
      const Value* directive = member.value.find(kDirective);
      if (member.name() == kDirective || member.value.is_null() ||
          (directive != nullptr && directive->as_string() == "delete"))
        prunes_.push_back(patch_at_);
      else
        prune(member.value);
      patch_at_.pop_back();
    }
    for (std::size_t i = 0; i < patch.size() && patch.is_array(); ++i) {
      patch_at_.emplace_back(i);
      if (is_directive_item(patch[i]) || patch[i][kDirective].as_string() == "delete")
        prunes_.push_back(patch_at_);
      else
        prune(patch[i]);
      patch_at_.pop_back();
    }
  }

  ListRule rule_for(const Value& patch, const Value* ours, const Schema& schema) const {
    if (schema.known()) return schema.list_rule();
    if (!options_.infer_keys) return {};
    for (const Value* list : {ours, &patch})
      if (list != nullptr)
        if (auto key = inferred_key(*list)) return {ListRule::Kind::kMap, {*std::move(key)}};
    return {};
  }

  void enter(krm::Step patch, krm::Step clean, krm::Step ours) {
    patch_at_.push_back(std::move(patch));
    clean_at_.push_back(std::move(clean));
    at_.push_back(std::move(ours));
  }

  void leave() {
    patch_at_.pop_back();
    clean_at_.pop_back();
    at_.pop_back();
  }

  const krm::Object& patch_;
  const krm::Object& object_;
  const PatchOptions& options_;
  const bool has_schemas_;
  std::vector<std::unique_ptr<Value>> schemas_;  // found in comments
  krm::Path patch_at_, clean_at_, at_;           // clean: in the patch without directives
  std::vector<krm::Edit> edits_;
  std::vector<krm::Path> prunes_;
  std::vector<std::pair<krm::Path, std::string>> comments_;
  bool deleted_ = false, whole_patch_ = false;
};

}  // namespace

Result<DirectedPatch> split_directive(const krm::Object& patch) {
  const Value& value = patch.value();
  if (!internal::is_collection(value))
    return invalid("no implemented strategic merge patch strategy for a scalar");
  DirectedPatch split{Directive::kMerge, patch};
  PORTICO_TRY(split.directive, directive_of(value));
  std::vector<krm::Edit> cuts;
  const auto cut = [&cuts](krm::Path path) { cuts.push_back(internal::removal(std::move(path))); };
  if (value.contains(kDirective)) cut({std::string(kDirective)});
  for (std::size_t i = 0; i < value.items().size(); ++i)
    if (is_directive_item(value[i])) cut({i});
  if (!cuts.empty()) PORTICO_DO(split.patch.edit(cuts));
  return split;
}

Result<std::optional<krm::Object>> patch_object(const krm::Object& patch, const krm::Object& object,
                                                const PatchOptions& options) {
  return Patching(patch, object, options).run();
}

}  // namespace portico::merge
