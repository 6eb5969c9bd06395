#include "krm/internal/decode.h"
#include "krm/internal/object_state.h"
#include "krm/internal/plan.h"
#include "krm/internal/rewrite.h"
#include "krm/internal/to_tree.h"
#include "krm/object.h"
#include "yaml/edit.h"

namespace portico::krm {
namespace {

/// Layout never changes what a value is, so an edit is tried in the way that keeps most of the text
/// and its result is read again. Where it has not the value that was asked for, the next way is
/// taken: copies as values instead of text, then aliases and merge keys written out.
struct Attempt {
  bool copy_text;
  bool expand;
};
constexpr Attempt kAttempts[] = {{true, false}, {false, false}, {true, true}, {false, true}};

bool has_aliases(const yaml::Document& document) {
  for (const yaml::Node& node : document.nodes())
    if (node.kind == yaml::Kind::kAlias) return true;
  return false;
}

bool copies(const std::vector<Edit>& edits) {
  for (const Edit& edit : edits)
    if (edit.from != nullptr) return true;
  return false;
}

}  // namespace

Object Object::from_value(const json::Value& value) {
  auto state = std::make_shared<State>();
  auto document = yaml::Document::parse(yaml::print(to_tree(value, root_key_order())));
  if (document) {
    state->document = *std::move(document);
  } else {
    // Only what no YAML can hold: text that is not UTF-8, or nested too deep.
    auto empty = yaml::Document::parse("{}\n");
    state->document = *std::move(empty);
  }
  state->value = document ? value : json::Value::object();
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
  const bool aliases = has_aliases(state_->document);
  const bool copied = copies(edits);
  Result<Done> done = Done{};
  for (const Attempt& attempt : kAttempts) {
    if ((!attempt.copy_text && !copied) || (attempt.expand && !aliases)) continue;
    Object base = *this;
    if (attempt.expand) {
      done = base.take(expanded_text(state_->document, value()), value());
      if (!done) continue;
    }
    yaml::Editor editor(base.state_->document);
    Rewriter rewriter(base.state_->document, editor, attempt.copy_text);
    rewriter.apply(yaml::Document::root(), base.value(), plan);
    if (rewriter.needs_expansion()) continue;
    done = base.take(editor.finish(), expected);
    if (done) {
      *this = std::move(base);
      return done;
    }
  }
  return done;
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
  if (!node) return not_found("there is no such field").in(path_text(path));
  yaml::Editor editor(state_->document);
  PORTICO_DO(editor.set_line_comment(*node, comment), path_text(path));
  return take(editor.finish(), value());
}

}  // namespace portico::krm
