// Edits in block context.
#include <algorithm>

#include "yaml/comments.h"
#include "yaml/edit.h"
#include "yaml/internal/chars.h"
#include "yaml/internal/extent.h"

namespace portico::yaml {
namespace {

std::string blanks(std::size_t count) { return std::string(count, ' '); }

bool is_block(const Node& node) { return node.is_collection() && node.style == Style::kBlock; }

bool is_keep_scalar(const Document& document, NodeId id) {
  const Node& node = document[id];
  if (!node.is_block_scalar()) return false;
  const std::string_view head = std::string_view(document.text()).substr(node.begin, 3);
  return head.substr(0, head.find_first_of(" \t\r\n#")).find('+') != std::string_view::npos;
}

}  // namespace

/// The new value begins where the old one did, which was not on an indicator's line.
void Editor::replace_on_own_lines(NodeId id, const Tree& tree) {
  const Node& node = document_[id];
  const std::string_view text = document_.text();
  if (tree.document != nullptr) return replace_on_own_lines(id, tree_of(*tree.document, tree.node));
  const bool alone = is_first_on_line(text, node.props);
  const std::size_t own = alone ? node.props - line_begin(text, node.props) : 0;
  std::string fresh;
  std::size_t end = is_block(node) ? end_of_entries(id) : node.end;
  const bool block = alone && tree.kind != Kind::kScalar && !tree.is_empty_collection() &&
                     text.substr(node.props - own, own).find('\t') == std::string_view::npos;
  if (block) {
    // The rest of the line must not become part of a block scalar's text.
    const std::size_t rest = std::min(text.find_first_not_of(" \t", end), text.size());
    Layout layout = *layout_;
    const bool room = (rest == text.size() || is_break(text[rest])) &&
                      !lines_would_join(end, static_cast<int>(own));
    layout.block_scalars = layout.block_scalars && room;
    if (room) end = rest;
    fresh = block_text(tree, static_cast<int>(own), layout);
  } else {
    fresh = flow_text(tree, *layout_, node.style);
  }
  if (at(end) == '#') fresh += ' ';
  patch(node.props, end, std::move(fresh), id);
}

/// The indicator's line gets the value or its beginning, and keeps its comment. The lines below
/// replace those of the old value.
void Editor::replace_in_block(NodeId id, const Tree& tree) {
  const Node& node = document_[id];
  const std::string_view text = document_.text();
  const NodeId parent = parents_[id];
  const bool own_lines = !is_block(node) && !node.is_absent() && is_first_on_line(text, node.props);
  if (parent == kNoNode || own_lines) return replace_on_own_lines(id, tree);
  const bool in_map = document_[parent].kind == Kind::kMap;
  const bool has_indicator = node.lead != node.props;
  const int column = static_cast<int>(document_[parent].column);
  const bool explicit_entry = in_map && has_indicator && is_first_on_line(text, node.lead) &&
                              at(document_[key_of(id)].lead) == '?';
  if (!has_indicator) {  // the value of "? key" without a ':' line
    const ValueText value = value_text(tree, column, true, *layout_, node.style);
    const std::size_t end = line_end(text, node.end);
    patch(end, end,
          layout_->newline + blanks(static_cast<std::size_t>(column)) + ":" + value.line +
              value.below,
          id);
    return;
  }

  // The parts of the old text: [begin, head) on the line, then the rest of the line, which stays,
  // then [body, end) below it.
  std::size_t begin = node.lead + 1, head = node.end, body = line_end(text, node.end);
  std::size_t end = body;
  if (node.is_block_scalar()) {
    const Span comment = line_comment(document_, id);
    head = comment.begin;
    while (head > node.begin && is_blank(text[head - 1])) --head;
    body = line_end(text, node.begin);
    end = std::max(std::size_t{node.end}, body);
  } else if (is_block(node)) {
    const std::size_t line = line_end(text, node.lead);
    if (line < node.begin) {
      const Span comment = line_comment(document_, id);
      head = comment.begin;
      while (head > begin && is_blank(text[head - 1])) --head;
      body = line;
      end = end_of_entries(id);
    } else {
      head = body = end = end_of_entries(id);
    }
  }
  Layout layout = *layout_;
  layout.block_scalars = layout.block_scalars && !lines_would_join(end, column);
  ValueText value = value_text(tree, column, !in_map || explicit_entry, layout, node.style);
  if (has_break(value.line, 0, value.line.size()) && body > head) {
    // A collection that begins on the line: the rest of the line moves behind the collection's end.
    if (text.substr(head, body - head).find_first_not_of(" \t") == std::string_view::npos) {
      head = body;
    } else if (layout.block_scalars) {
      layout.block_scalars = false;
      value = value_text(tree, column, !in_map || explicit_entry, layout, node.style);
    }
  }
  std::string line = value.line;
  // A plain scalar keeps its anchor; a tag would change the meaning of the new value.
  if (node.has_anchor && !node.has_tag && node.kind == Kind::kScalar &&
      (tree.document == nullptr && tree.kind == Kind::kScalar) &&
      !has_break(text, node.props, node.begin))
    line = " &" + std::string(document_.anchor(id)) + line;
  // A copy has its own comment.
  const Span comment = line_comment(document_, id);
  if (tree.document != nullptr && tree.entry != kNoNode && !comment.empty() &&
      comment.end == body &&
      line_comment(*tree.document, tree.node).begin != line_comment(*tree.document, tree.node).end)
    head = body;
  if (at(head) == '#') line += ' ';
  // Values aligned in columns stay aligned.
  const bool scalar =
      (tree.document == nullptr ? tree.kind : (*tree.document)[tree.node].kind) == Kind::kScalar;
  const std::size_t blank_end = text.find_first_not_of(" \t", begin);
  if (scalar && line.starts_with(' ') && blank_end > begin && blank_end == node.props) {
    begin = node.props;
    line.erase(0, 1);
  }
  patch(begin, head, std::move(line), id);
  if (!value.below.empty() || end > body) patch(body, end, value.below, id);
}

/// Whether a block scalar that ends at `at` would absorb the text that follows: the rest of a line,
/// or a comment or blanks below it that are wider than the column of the surrounding collection.
bool Editor::lines_would_join(std::size_t at, int column) const {
  const std::string_view text = document_.text();
  for (std::size_t line = at; line < text.size();) {
    if (line == at && line > 0 && !is_break(text[line - 1])) {
      const std::size_t end = line_end(text, line);
      if (text.substr(at, end - at).find_first_not_of(" \t") != std::string_view::npos) return true;
      line = behind_break(text, end);
      continue;
    }
    const std::size_t first = std::min(text.find_first_not_of(' ', line), text.size());
    if (static_cast<int>(first - line) > column) {
      const std::size_t shown = std::min(text.find_first_not_of(" \t", first), text.size());
      if (shown == text.size() || is_break(text[shown]) || text[shown] == '#') return true;
    }
    const std::size_t end = line_end(text, first);
    if (text.substr(first, end - first).find_first_not_of(" \t") != std::string_view::npos)
      return false;
    line = end == text.size() ? end : behind_break(text, end);
  }
  return false;
}

/// The offset after the last line of a block collection and its comments, without the line break.
std::size_t Editor::end_of_entries(NodeId id) const {
  const std::string_view text = document_.text();
  std::size_t end = extent_of(document_, id, entries_of(id).back()).end;
  if (end > document_[id].end && text[end - 1] == '\n') --end;
  if (end > document_[id].end && text[end - 1] == '\r') --end;
  return end;
}

void Editor::write_block(NodeId parent, const Change& change, const std::vector<NodeId>& entries) {
  const std::string_view text = document_.text();
  const std::string indent = blanks(document_[parent].column);
  std::map<NodeId, Extent> extents;
  for (std::size_t i = 0; i < entries.size(); ++i)
    extents[entries[i]] =
        extent_of(document_, parent, entries[i], i == 0 ? kNoNode : entries[i - 1]);

  const auto stays = [&](NodeId id) { return !change.removed.contains(id); };
  const auto first_kept = std::find_if(entries.begin(), entries.end(), stays);
  const auto last_kept = std::find_if(entries.rbegin(), entries.rend(), stays);
  std::map<std::size_t, std::size_t> gone;  // begin to end
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (stays(entries[i])) continue;
    Extent extent = extents[entries[i]];
    if (extent.in_line) {
      // The next entry moves up behind the indicator.
      if (first_kept != entries.end()) {
        extent.end = extents[*first_kept].begin;
        i = static_cast<std::size_t>(first_kept - entries.begin());
      } else {
        extent.end = content_end(document_, parent, entries.back());
        const std::size_t rest = std::min(text.find_first_not_of(" \t", extent.end), text.size());
        if (rest == text.size() || is_break(text[rest])) extent.end = rest;
        i = entries.size();
      }
      while (extent.end < text.size() && first_kept != entries.end() && is_blank(text[extent.end]))
        ++extent.end;
    } else if (entries[i] > 0 && is_keep_scalar(document_, entries[i] - 1)) {
      // The following blank lines would become part of the scalar before.
      for (std::size_t at = extent.end; at < text.size();) {
        const std::size_t end = line_end(text, at);
        if (text.substr(at, end - at).find_first_not_of(" \t") != std::string_view::npos) break;
        at = extent.end = behind_break(text, end);
        if (end == at) break;
      }
    }
    gone[extent.begin] = extent.end;
    patch(extent.begin, extent.end, "", parent);
  }
  keep_end_open(change, entries, gone);
  const auto behind_gone = [&](std::size_t at) {
    for (auto one = gone.find(at); one != gone.end() && one->second > at; one = gone.find(at))
      at = one->second;
    return at;
  };

  for (const Insertion& insertion : change.insertions) {
    if (insertion.before == kNoNode && last_kept != entries.rend()) {
      const std::size_t end = extents[*last_kept].end;
      const std::string entry = entry_text(parent, insertion, behind_gone(end));
      const bool open = end == text.size() && !text.ends_with('\n') && !text.ends_with('\r');
      if (open) {
        text_follows_end_ = true;
        patch(end, end, layout_->newline + indent + entry, parent);
      } else {
        patch(end, end, indent + entry + layout_->newline, parent);
      }
      continue;
    }
    // Before the entry that is first, or that moves up behind the indicator.
    const bool none_kept = first_kept == entries.end();
    const bool moves_up = extents[entries.front()].in_line && !stays(entries.front());
    NodeId before = insertion.before == kNoNode ? entries.front() : insertion.before;
    if (moves_up && (none_kept || before <= *first_kept)) before = entries.front();
    const Extent& next = extents[before];
    const std::string entry = entry_text(
        parent, insertion, behind_gone(next.in_line && !none_kept ? text.size() : next.begin));
    if (next.in_line) {
      const bool last = none_kept && &insertion == &change.insertions.back();
      patch(next.begin, next.begin, entry + (last ? "" : layout_->newline + indent), parent);
    } else {
      patch(next.begin, next.begin, indent + entry + layout_->newline, parent);
    }
  }
}

/// A file that ends without a line break still does after its last entries are removed.
void Editor::keep_end_open(const Change& change, const std::vector<NodeId>& entries,
                           const std::map<std::size_t, std::size_t>& gone) {
  const std::string_view text = document_.text();
  if (gone.empty() || gone.rbegin()->second != text.size() || !change.insertions.empty() ||
      is_break(text.back()))
    return;
  std::size_t begin = gone.rbegin()->first;
  std::size_t first = entries.size() - 1;
  for (auto one = std::next(gone.rbegin()); one != gone.rend() && one->second == begin; ++one) {
    begin = one->first;
    --first;
  }
  // The line break may be part of a block scalar's value.
  end_stays_open_ = !document_[entries[first] - 1].is_block_scalar();
}

/// Text will follow a block scalar at the end of a file without a final line break: its value must
/// not change.
void Editor::keep_value_at_end() {
  const std::size_t where = document_.text().size();
  NodeId last = 0;
  for (NodeId id = 0; id < document_.nodes().size(); ++id)
    if (document_[id].kind == Kind::kScalar) last = id;
  const Node& node = document_[last];
  if (!node.is_block_scalar() || node.end != where) return;
  const bool changed = std::any_of(patches_.begin(), patches_.end(), [&](const Patch& one) {
    return one.begin < node.end && one.end > node.begin;
  });
  if (changed || document_.scalar(last).ends_with('\n')) return;
  std::size_t i = node.begin + 1;
  while (i < where && (is_digit(at(i)) || at(i) == '+' || at(i) == '-')) {
    if (at(i) == '-') return;
    if (at(i) == '+') return patch(i, i + 1, "-", last);
    ++i;
  }
  patch(i, i, "-", last);
}

}  // namespace portico::yaml
