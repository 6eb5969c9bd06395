#include "yaml/edit.h"

#include <algorithm>

#include "yaml/comments.h"
#include "yaml/internal/chars.h"
#include "yaml/internal/extent.h"

namespace portico::yaml {

Editor::Editor(const Document& document, bool block_scalars)
    : document_(document), block_scalars_(block_scalars) {
  parents_.assign(document.nodes().size(), kNoNode);
  for (NodeId id = 0; id < parents_.size(); ++id)
    for (NodeId child = id + 1; child < document[id].next; child = document[child].next)
      parents_[child] = id;
}

const Layout& Editor::layout() {
  if (!layout_) {
    layout_ = layout_of(document_);
    layout_->block_scalars = layout_->block_scalars && block_scalars_;
  }
  return *layout_;
}

void Editor::patch(std::size_t begin, std::size_t end, std::string text, NodeId owner) {
  patches_.push_back({begin, end, std::move(text), owner});
}

std::vector<NodeId> Editor::entries_of(NodeId parent) const {
  std::vector<NodeId> out;
  for (NodeId child = parent + 1; child < document_[parent].next;) {
    out.push_back(child);
    child = document_[child].next;
    if (document_[parent].kind == Kind::kMap) child = document_[child].next;
  }
  return out;
}

void Editor::remove(NodeId parent, NodeId child) { changes_[parent].removed.insert(child); }

void Editor::insert(NodeId parent, NodeId before, std::string name, Tree tree) {
  changes_[parent].insertions.push_back({before, std::move(name), std::move(tree)});
}

void Editor::replace(NodeId node, const Tree& tree) {
  const NodeId parent = parents_[node];
  const bool flow = parent != kNoNode && document_[parent].style == Style::kFlow;
  layout();
  if (flow)
    replace_in_flow(node, tree);
  else
    replace_in_block(node, tree);
}

void Editor::rename(NodeId key, const std::string& name) {
  const Node& node = document_[key];
  const bool flow = document_[parents_[key]].style == Style::kFlow;
  const bool quoted = node.style == Style::kSingle || node.style == Style::kDouble;
  std::string text = quoted ? scalar_text(name, node.style, {.flow = flow, .key = true}, layout())
                            : key_source(name, flow, layout());
  // Directly after a '?' or an anchor.
  const bool behind_anchor =
      node.has_anchor && !node.has_tag && !is_space_or_end(at(node.begin - 1));
  if ((node.is_absent() && at(node.begin - 1) == '?') || behind_anchor) text = " " + text;
  // A tag would change the meaning of the new name.
  patch(node.has_tag ? node.props : node.begin, node.end, std::move(text), key);
}

/// The key of a map value.
NodeId Editor::key_of(NodeId value) const {
  NodeId key = parents_[value] + 1;
  while (document_[key].next != value) key = document_[document_[key].next].next;
  return key;
}

Result<Done> Editor::set_line_comment(NodeId id, std::string_view comment) {
  const std::string_view text = document_.text();
  if (comment.find_first_of("\r\n") != std::string_view::npos)
    return invalid("a comment after a value must be one line, found \"{}\"", comment);
  Span span = line_comment(document_, id);
  std::string fresh(comment);
  if (!fresh.empty() && fresh.front() != '#') fresh = "# " + fresh;
  if (span.empty()) {
    if (fresh.empty()) return Done{};
    if (!is_rest_of_line(text, span.begin) &&
        !(at(span.begin) == ',' && is_rest_of_line(text, span.begin + 1)))
      return invalid("cannot add a comment: more text follows on the line")
          .in(document_.place(span.begin));
    if (at(span.begin) == ',') span.begin = ++span.end;
    // Blanks at the end of the line end up before the comment.
    while (is_blank(at(span.begin))) span.begin = ++span.end;
    if (!is_blank(at(span.begin - 1))) fresh = " " + fresh;
  } else if (fresh.empty()) {
    while (span.begin > 0 && is_blank(text[span.begin - 1])) --span.begin;
  }
  patch(span.begin, span.end, std::move(fresh), id);
  return Done{};
}

/// `at`: the offset of the following lines that stay.
std::string Editor::entry_text(NodeId parent, const Insertion& insertion, std::size_t at) const {
  const Node& node = document_[parent];
  const int column = static_cast<int>(node.column);
  if (node.style == Style::kBlock) {
    Layout layout = *layout_;
    layout.block_scalars = layout.block_scalars && !lines_would_join(at, column);
    return node.kind == Kind::kMap ? member_text(insertion.name, insertion.tree, column, layout)
                                   : item_text(insertion.tree, column, layout);
  }
  return flow_entry(node.kind, insertion.name, flow_text(insertion.tree, *layout_));
}

std::string Editor::flow_entry(Kind kind, const std::string& name, std::string value) const {
  return kind == Kind::kMap ? key_source(name, true, *layout_) + ": " + value : std::move(value);
}

void Editor::write(NodeId parent, const Change& change) {
  layout();
  const std::vector<NodeId> entries = entries_of(parent);
  const bool all_go = std::all_of(entries.begin(), entries.end(),
                                  [&](NodeId id) { return change.removed.contains(id); });
  if (all_go && change.insertions.empty()) {
    if (!entries.empty())
      replace(parent, document_[parent].kind == Kind::kMap ? Tree::map() : Tree::list());
  } else if (document_[parent].style == Style::kBlock) {
    write_block(parent, change, entries);
  } else {
    write_flow(parent, change, entries);
  }
}

std::string Editor::finish() {
  for (const auto& [parent, change] : changes_) write(parent, change);
  if (text_follows_end_) keep_value_at_end();
  std::stable_sort(patches_.begin(), patches_.end(), [](const Patch& a, const Patch& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    const bool a_adds = a.begin == a.end, b_adds = b.begin == b.end;
    if (a_adds != b_adds) return a_adds;
    return a_adds && a.owner > b.owner;
  });
  std::string out;
  std::size_t done = 0;
  const std::string& text = document_.text();
  for (const Patch& one : patches_) {
    if (one.begin > done) out.append(text, done, one.begin - done);
    out += one.text;
    done = std::max(done, one.end);
  }
  out.append(text, std::min(done, text.size()), std::string::npos);
  // A new block scalar at the end gets the line break that is part of its value, and no blank line
  // after it that would also become part of it.
  const auto any_patch = [&](auto holds) {
    return std::any_of(patches_.begin(), patches_.end(), holds);
  };
  const bool block_at_end =
      text.find_first_not_of(" \t\r\n", std::min(done, text.size())) == std::string_view::npos &&
      any_patch(
          [](const Patch& one) { return one.text.find_first_of("\r\n") != std::string::npos; }) &&
      any_patch([](const Patch& one) { return one.text.find_first_of("|>") != std::string::npos; });
  if (!block_at_end) {
    if (end_stays_open_ && out.ends_with('\n')) out.pop_back();
    if (end_stays_open_ && out.ends_with('\r')) out.pop_back();
    return out;
  }
  while (!out.empty() && is_blank(out.back())) out.pop_back();
  if (!out.ends_with('\n') && !out.ends_with('\r')) out += layout().newline;
  return out;
}

}  // namespace portico::yaml
