#include <algorithm>
#include <numeric>

#include "krm/internal/decode.h"
#include "krm/internal/object_state.h"
#include "krm/internal/to_tree.h"
#include "krm/object.h"
#include "yaml/print.h"
#include "yaml/rearrange.h"
#include "yaml/relayout.h"
#include "yaml/resolve.h"

namespace portico::krm {
namespace {

/// Finds the text to change, and the value that the result must have.
class Arranger {
 public:
  Arranger(const yaml::Document& document, const Arrangement& how)
      : document_(document), how_(how), layout_(yaml::layout_of(document)) {}

  json::Value node(yaml::NodeId id, const json::Value& value) {
    switch (document_[id].kind) {
      case yaml::Kind::kAlias:
        break;  // the target is changed where it is written; if it changes, the values differ
      case yaml::Kind::kScalar:
        return scalar(id, value);
      case yaml::Kind::kMap:
        return map(id, value);
      case yaml::Kind::kSeq:
        return list(id, value);
    }
    return value;
  }

  const yaml::Rearrangement& changes() const { return changes_; }

 private:
  json::Value scalar(yaml::NodeId id, const json::Value& value) {
    const yaml::Node& node = document_[id];
    const Quotes wanted = how_.quotes ? how_.quotes(path_) : Quotes::kKeep;
    if (wanted == Quotes::kKeep || node.has_tag || node.is_block_scalar() || node.is_absent())
      return value;
    const bool quoted = node.style != yaml::Style::kPlain;
    if (wanted == Quotes::kNeeded) return quoted ? unquoted(id, value) : value;
    if (quoted == (wanted == Quotes::kString)) return value;
    const std::string text = document_.scalar(id);
    if (value.is_null() || text.empty() || text.find('\n') != std::string::npos ||
        !yaml::looks_typed_in_yaml11(text))
      return value;
    std::string source = text;
    if (wanted == Quotes::kString)
      source = yaml::scalar_text(text, yaml::Style::kDouble, {.flow = true}, layout_);
    const auto alone = yaml::Document::parse(source);
    if (!alone) return value;
    changes_.sources.emplace(id, std::move(source));
    return scalar_value(*alone, yaml::Document::root());
  }

  /// A string with only the quotes that it needs; one on several lines stays as it is.
  json::Value unquoted(yaml::NodeId id, const json::Value& value) {
    if (document_.source(id).find('\n') != std::string_view::npos) return value;
    std::string source =
        yaml::scalar_text(document_.scalar(id), yaml::Style::kPlain, {.flow = true}, layout_);
    if (source != document_.source(id)) changes_.sources.emplace(id, std::move(source));
    return value;
  }

  json::Value map(yaml::NodeId id, const json::Value& value) {
    json::Value out = value;
    std::vector<std::pair<std::string, yaml::NodeId>> keys;
    std::string scratch;
    for (const MapMember& member : map_members(document_, id)) {
      keys.emplace_back(key_text(document_, member.key, scratch), member.key);
      const std::string& name = keys.back().first;
      if (is_merge_key(document_, member.key)) continue;
      path_.emplace_back(name);
      const json::Value changed = node(member.value, value[name]);
      if (!changed.same_as(value[name])) out = out.with(name, changed);
      path_.pop_back();
    }
    const auto before = [&](const auto& a, const auto& b) {
      return how_.before(path_, a.first, b.first);
    };
    if (!how_.before || std::is_sorted(keys.begin(), keys.end(), before)) return out;
    std::stable_sort(keys.begin(), keys.end(), before);
    std::vector<yaml::NodeId>& order = changes_.order[id];
    for (const auto& [name, key] : keys) order.push_back(key);
    return out;
  }

  json::Value list(yaml::NodeId id, const json::Value& value) {
    const std::vector<yaml::NodeId> items = list_items(document_, id);
    std::vector<json::Value> out;
    for (std::size_t i = 0; i < items.size(); ++i) {
      path_.emplace_back(i);
      out.push_back(node(items[i], value[i]));
      path_.pop_back();
    }
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (how_.item_key) {
      if (const auto key = how_.item_key(path_)) {
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
          return (*key)(value[a]) < (*key)(value[b]);
        });
      }
    }
    if (!std::is_sorted(order.begin(), order.end()))
      for (const std::size_t from : order) changes_.order[id].push_back(items[from]);
    std::vector<json::Value> sorted;
    for (const std::size_t from : order) sorted.push_back(out[from]);
    json::Value result = json::Value::array(std::move(sorted));
    return result == value ? value : result;
  }

  const yaml::Document& document_;
  const Arrangement& how_;
  const yaml::Layout layout_;
  yaml::Rearrangement changes_;
  Path path_;
};

}  // namespace

Result<Done> Object::arrange(const Arrangement& how) {
  Arranger arranger(state_->document, how);
  const json::Value expected = arranger.node(yaml::Document::root(), value());
  if (arranger.changes().order.empty() && arranger.changes().sources.empty()) return Done{};
  auto done = take(yaml::rearranged(state_->document, arranger.changes()), expected);
  if (!done)
    return invalid("{} \"{}\" cannot be reordered because of its aliases and merge keys", kind(),
                   name());
  return done;
}

bool Object::has_wide_lists() const { return yaml::has_wide_lists(state_->document); }

Object Object::relaid(Lists lists) const {
  const yaml::Lists wanted = lists == Lists::kKeep      ? yaml::Lists::kKeep
                             : lists == Lists::kCompact ? yaml::Lists::kCompact
                                                        : yaml::Lists::kWide;
  Object result = *this;
  if (!result.take(yaml::relaid(state_->document, wanted), value())) return *this;
  return result;
}

}  // namespace portico::krm
