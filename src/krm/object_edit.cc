#include "krm/internal/decode.h"
#include "krm/internal/object_state.h"
#include "krm/internal/plan.h"
#include "krm/internal/rewrite.h"
#include "krm/internal/to_tree.h"
#include "krm/object.h"
#include "yaml/edit.h"
#include "yaml/print.h"

namespace portico::krm {
namespace {

bool copies(const std::vector<Edit>& edits) {
  for (const Edit& edit : edits)
    if (edit.from != nullptr) return true;
  return false;
}

}  // namespace

struct Object::Way {
  bool copy_text, all_aliases_out, block_scalars;
};

Object Object::from_value(const json::Value& value) {
  auto state = std::make_shared<State>();
  auto document = yaml::Document::parse(yaml::print(to_tree(value, root_key_order())));
  if (document) {
    state->document = *std::move(document);
    state->value = value;
  } else {
    // Only for values that YAML cannot represent: text that is not UTF-8, or nesting that is too
    // deep.
    auto empty = yaml::Document::parse("{}\n");
    state->document = *std::move(empty);
    state->value = json::Value::object();
  }
  return Object(std::move(state));
}

Result<Done> Object::take(std::string text, const json::Value& expected) {
  auto state = std::make_shared<State>(*state_);
  PORTICO_TRY(state->document, yaml::Document::parse(std::move(text)));
  PORTICO_TRY(state->value, decode(state->document));
  if (!same_value(state->value, expected))
    return internal("an edit of {} \"{}\" would have changed more than it should", kind(), name());
  state_ = std::move(state);
  return Done{};
}

Result<Done> Object::edit(const std::vector<Edit>& edits) {
  PORTICO_TRY(const Plan plan, make_plan(value(), edits));
  if (plan.here == nullptr && !plan.is_deep()) return Done{};
  const json::Value expected = planned(value(), plan);
  // The way a value is written must not change the value. So an edit is first tried in the way that
  // keeps most of the text, and the result is parsed again. If it does not have the expected value,
  // copies are made from values instead of text, then all aliases are expanded, and finally
  // multi-line strings are quoted.
  Result<Done> done = Done{};
  for (const bool block_scalars : {true, false}) {
    for (const bool all_aliases_out : {false, true}) {
      if (all_aliases_out && all_aliases(state_->document).empty()) continue;
      for (const bool copy_text : {true, false}) {
        if (!copy_text && !copies(edits)) continue;
        Object base = *this;
        done = base.edit_with(plan, expected, {copy_text, all_aliases_out, block_scalars});
        if (done) {
          *this = std::move(base);
          return done;
        }
      }
    }
  }
  // Without comments, only layout can be lost.
  if (done.error().code == Code::kInternal && text().find('#') == std::string::npos)
    return take(yaml::print(to_tree(expected, root_key_order())), expected);
  return done;
}

Result<Done> Object::edit_with(const Plan& plan, const json::Value& expected, const Way& way) {
  // Expanding an alias can reveal another one, but their number is limited.
  constexpr int kRounds = 32;
  const json::Value unchanged = value();
  if (way.all_aliases_out)
    PORTICO_DO(
        take(expanded_text(state_->document, unchanged, all_aliases(state_->document)), unchanged));
  for (int round = 0; round < kRounds; ++round) {
    yaml::Editor editor(state_->document, way.block_scalars);
    Rewriter rewriter(state_->document, editor, way.copy_text);
    rewriter.apply(yaml::Document::root(), unchanged, plan);
    const std::set<yaml::NodeId> aliases = rewriter.to_expand();
    if (aliases.empty()) return take(editor.finish(), expected);
    PORTICO_DO(take(expanded_text(state_->document, unchanged, aliases), unchanged));
  }
  return internal("endless aliases in {} \"{}\"", kind(), name());
}

Result<Done> Object::set(const Path& path, const json::Value& value) {
  Edit one;
  one.path = path;
  one.value = value;
  return edit({one});
}

Result<Done> Object::remove(const Path& path) {
  Edit one;
  one.verb = Edit::Verb::kRemove;
  one.path = path;
  return edit({one});
}

Result<Done> Object::rename(const Path& path, std::string_view name) {
  Edit one;
  one.verb = Edit::Verb::kRename;
  one.path = path;
  one.value = name;
  return edit({one});
}

Result<Done> Object::update(const json::Value& desired) { return set({}, desired); }

Result<Done> Object::prepend(const Path& path, const std::vector<json::Value>& items,
                             const std::vector<std::string>& key_order) {
  std::vector<Edit> edits;
  for (const json::Value& item : items) {
    Edit one;
    one.verb = Edit::Verb::kInsert;
    one.path = path;
    one.path.emplace_back(std::size_t{0});
    one.value = item;
    one.key_order = key_order;
    edits.push_back(std::move(one));
  }
  return edit(edits);
}

Result<Done> Object::set_line_comment(const Path& path, std::string_view comment) {
  const auto node = find_node(state_->document, path);
  if (!node) return not_found("field not found").in(path_text(path));
  yaml::Editor editor(state_->document);
  PORTICO_DO(editor.set_line_comment(*node, comment), path_text(path));
  return take(editor.finish(), value());
}

}  // namespace portico::krm
