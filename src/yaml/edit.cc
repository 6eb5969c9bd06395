#include "yaml/edit.h"

#include <algorithm>

#include "yaml/comments.h"
#include "yaml/internal/chars.h"
#include "yaml/internal/extent.h"

namespace portico::yaml {
namespace {

std::string blanks(std::size_t count) { return std::string(count, ' '); }

bool is_block(const Node& node) { return node.is_collection() && node.style == Style::kBlock; }

/// Only blanks, or a comment, up to the end of the line.
bool is_rest_of_line(std::string_view text, std::size_t at) {
  const std::size_t end = line_end(text, at);
  std::size_t i = at;
  while (i < end && is_blank(text[i])) ++i;
  return i == end || text[i] == '#';
}

/// Behind the blanks, breaks and comments at `at`.
std::size_t behind_space(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (text[at] == '#')
      at = line_end(text, at);
    else if (is_blank(text[at]) || is_break(text[at]))
      ++at;
    else
      break;
  }
  return at;
}

bool has_break(std::string_view text, std::size_t begin, std::size_t end) {
  return text.substr(begin, end - begin).find_first_of("\r\n#") != std::string_view::npos;
}

bool is_keep_scalar(const Document& document, NodeId id) {
  const Node& node = document[id];
  if (!node.is_block_scalar()) return false;
  const std::string_view head = std::string_view(document.text()).substr(node.begin, 3);
  return head.substr(0, head.find_first_of(" \t\r\n#")).find('+') != std::string_view::npos;
}

}  // namespace

Editor::Editor(const Document& document) : document_(document) {
  parents_.assign(document.nodes().size(), kNoNode);
  for (NodeId id = 0; id < parents_.size(); ++id)
    for (NodeId child = id + 1; child < document[id].next; child = document[child].next)
      parents_[child] = id;
}

const Layout& Editor::layout() {
  if (!layout_) layout_ = layout_of(document_);
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
  // Right behind a '?' or an anchor.
  if (node.is_absent() && (at(node.lead) == '?' || (node.has_anchor && !node.has_tag)))
    text = " " + text;
  // A tag would change what the new name is.
  patch(node.has_tag ? node.props : node.begin, node.end, std::move(text), key);
}

/// The key of a map's value.
NodeId Editor::key_of(NodeId value) const {
  NodeId key = parents_[value] + 1;
  while (document_[key].next != value) key = document_[document_[key].next].next;
  return key;
}

/// Whether a ':' right behind the node would be taken for a part of an alias, anchor or tag.
bool Editor::ends_in_name(NodeId id) const {
  const Node& node = document_[id];
  return node.kind == Kind::kAlias || (node.is_absent() && node.props != node.begin);
}

void Editor::replace_in_flow(NodeId id, const Tree& tree) {
  const Node& node = document_[id];
  std::string text = flow_text(tree, *layout_, node.style);
  if (node.is_absent() && node.lead != node.props)
    text = " " + text;
  else if (node.is_absent() && document_[parents_[id]].kind == Kind::kMap)
    text = (ends_in_name(key_of(id)) ? " : " : ": ") + text;
  if (at(node.end) == '#') text += ' ';
  patch(node.props, node.end, std::move(text), id);
}

/// The line with the node's indicator gets the value or its beginning, and keeps its comment; the
/// lines below are put in the place of those that the old value had.
void Editor::replace_in_block(NodeId id, const Tree& tree) {
  const Node& node = document_[id];
  const std::string_view text = document_.text();
  const NodeId parent = parents_[id];
  const bool in_map = parent != kNoNode && document_[parent].kind == Kind::kMap;
  const bool has_indicator = node.lead != node.props;
  const int column =
      parent == kNoNode ? -layout_->indent : static_cast<int>(document_[parent].column);
  const bool explicit_entry = in_map && has_indicator && is_first_on_line(text, node.lead) &&
                              at(document_[key_of(id)].lead) == '?';

  const bool own_lines = !is_block(node) && !node.is_absent() && is_first_on_line(text, node.props);
  if (parent == kNoNode || own_lines) {
    // On lines of its own: the new value begins where the old one did.
    const std::size_t own = parent == kNoNode && !is_first_on_line(text, node.props)
                                ? 0
                                : node.props - line_begin(text, node.props);
    std::string fresh;
    std::size_t end = is_block(node) ? end_of_entries(id) : node.end;
    const bool block = tree.document == nullptr && tree.kind != Kind::kScalar &&
                       !tree.is_empty_collection() && is_first_on_line(text, node.props) &&
                       text.substr(node.props - own, own).find('\t') == std::string_view::npos;
    if (block) {
      // What stays of the line must not be taken for text of a block scalar.
      const std::size_t rest = std::min(text.find_first_not_of(" \t", end), text.size());
      Layout layout = *layout_;
      layout.block_scalars = (rest == text.size() || is_break(text[rest])) &&
                             !lines_would_join(end, static_cast<int>(own));
      if (layout.block_scalars) end = rest;
      fresh = block_text(tree, static_cast<int>(own), layout);
    } else if (tree.document != nullptr) {
      replace_in_block(id, tree_of(*tree.document, tree.node));
      return;
    } else {
      fresh = flow_text(tree, *layout_, node.style);
    }
    if (at(end) == '#') fresh += ' ';
    patch(node.props, end, std::move(fresh), id);
    return;
  }

  if (!has_indicator) {  // the value of "? key" without a ':' line
    const ValueText value = value_text(tree, column, true, *layout_, node.style);
    const std::size_t end = line_end(text, node.end);
    patch(end, end,
          layout_->newline + blanks(static_cast<std::size_t>(column)) + ":" + value.line +
              value.below,
          id);
    return;
  }

  // The parts of the old text: [begin, head) on the line, then what stays of the line, then
  // [body, end) below it.
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
  layout.block_scalars = !lines_would_join(end, column);
  ValueText value = value_text(tree, column, !in_map || explicit_entry, layout, node.style);
  if (has_break(value.line, 0, value.line.size()) && body > head) {
    // A collection that begins on the line: what stays of the line comes to stand behind its end.
    if (text.substr(head, body - head).find_first_not_of(" \t") == std::string_view::npos) {
      head = body;
    } else if (layout.block_scalars) {
      layout.block_scalars = false;
      value = value_text(tree, column, !in_map || explicit_entry, layout, node.style);
    }
  }
  std::string line = value.line;
  // A plain scalar keeps an anchor of its own; a tag would change what the new value is.
  if (node.has_anchor && !node.has_tag && node.kind == Kind::kScalar &&
      (tree.document == nullptr && tree.kind == Kind::kScalar) &&
      !has_break(text, node.props, node.begin))
    line = " &" + std::string(document_.anchor(id)) + line;
  // A copy brings its own comment.
  const Span comment = line_comment(document_, id);
  if (tree.document != nullptr && tree.entry != kNoNode && !comment.empty() &&
      comment.end == body &&
      line_comment(*tree.document, tree.node).begin != line_comment(*tree.document, tree.node).end)
    head = body;
  if (at(head) == '#') line += ' ';
  // Values in columns stay there.
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

/// Whether a block scalar that ends at `at` would take what follows for its own: the rest of a
/// line, or a comment or blanks below it wider than the column of the collection it is in.
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

/// Behind the last line of a block collection and the comments that go with it, without its break.
std::size_t Editor::end_of_entries(NodeId id) const {
  const std::string_view text = document_.text();
  std::size_t end = extent_of(document_, id, entries_of(id).back()).end;
  if (end > document_[id].end && text[end - 1] == '\n') --end;
  if (end > document_[id].end && text[end - 1] == '\r') --end;
  return end;
}

Result<Done> Editor::set_line_comment(NodeId id, std::string_view comment) {
  const std::string_view text = document_.text();
  if (comment.find_first_of("\r\n") != std::string_view::npos)
    return invalid("a comment behind a value is one line, not \"{}\"", comment);
  Span span = line_comment(document_, id);
  std::string fresh(comment);
  if (!fresh.empty() && fresh.front() != '#') fresh = "# " + fresh;
  if (span.empty()) {
    if (fresh.empty()) return Done{};
    if (!is_rest_of_line(text, span.begin) &&
        !(at(span.begin) == ',' && is_rest_of_line(text, span.begin + 1)))
      return invalid("more text follows on the line, which leaves no room for a comment")
          .in(document_.place(span.begin));
    if (at(span.begin) == ',') span.begin = ++span.end;
    // Blanks at the end of the line come to stand before the comment.
    while (is_blank(at(span.begin))) span.begin = ++span.end;
    if (!is_blank(at(span.begin - 1))) fresh = " " + fresh;
  } else if (fresh.empty()) {
    while (span.begin > 0 && is_blank(text[span.begin - 1])) --span.begin;
  }
  patch(span.begin, span.end, std::move(fresh), id);
  return Done{};
}

/// `at`: where lines follow that stay.
std::string Editor::entry_text(NodeId parent, const Insertion& insertion, std::size_t at) const {
  const Node& node = document_[parent];
  const int column = static_cast<int>(node.column);
  if (node.style == Style::kBlock) {
    Layout layout = *layout_;
    layout.block_scalars = !lines_would_join(at, column);
    return node.kind == Kind::kMap ? member_text(insertion.name, insertion.tree, column, layout)
                                   : item_text(insertion.tree, column, layout);
  }
  const std::string value = flow_text(insertion.tree, *layout_);
  return node.kind == Kind::kMap ? key_source(insertion.name, true, *layout_) + ": " + value
                                 : value;
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

/// Text is going to follow a block scalar that ends with the file, without a break: what its value
/// is must not change.
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

/// A file that ends without a break still does when its last entries go.
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
  // The break may be part of the value of a block scalar.
  end_stays_open_ = !document_[entries[first] - 1].is_block_scalar();
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
  std::map<std::size_t, std::size_t> gone;  // from where to where
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (stays(entries[i])) continue;
    Extent extent = extents[entries[i]];
    if (extent.in_line) {
      // What comes next moves up behind the indicator.
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
      // The blank lines that follow would become part of the scalar before.
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
    // In front of the entry that is first, or moves up behind the indicator.
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

void Editor::write_flow(NodeId parent, const Change& change, const std::vector<NodeId>& entries) {
  const std::string_view text = document_.text();
  const Node& node = document_[parent];
  const bool map = node.kind == Kind::kMap;
  const auto stays = [&](NodeId id) { return !change.removed.contains(id); };
  const auto last_kept = std::find_if(entries.rbegin(), entries.rend(), stays);
  if (last_kept == entries.rend()) {
    std::string fresh;
    for (const Insertion& insertion : change.insertions)
      fresh += (fresh.empty() ? "" : ", ") + entry_text(parent, insertion, text.size());
    patch(node.begin, node.end, (map ? "{" : "[") + fresh + (map ? "}" : "]"), parent);
    return;
  }
  const bool bare_pair = map && at(node.begin) != '{';
  if (bare_pair) patch(node.begin, node.begin, "{", parent);

  const auto begin_of = [&](NodeId id) { return std::size_t{document_[id].lead}; };
  const auto end_of = [&](NodeId id) { return content_end(document_, parent, id); };
  bool comma_gone = false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (stays(entries[i])) continue;
    const std::size_t begin = begin_of(entries[i]), end = end_of(entries[i]);
    std::size_t behind = behind_space(text, end);
    const bool comma = at(behind) == ',';
    behind = comma ? behind + 1 : end;
    const bool trailing = entries[i] > *last_kept;
    if (trailing && !comma_gone) {
      // The comma in front goes with what it separates.
      const std::size_t kept_end = end_of(*last_kept);
      if (!has_break(text, kept_end, end_of(entries.back()))) {
        patch(kept_end, end_of(entries.back()), "", parent);
        break;
      }
      const std::size_t separator = behind_space(text, kept_end);
      patch(separator, separator + 1, "", parent);
      comma_gone = true;
    }
    if (is_first_on_line(text, begin) && is_rest_of_line(text, behind)) {
      patch(line_begin(text, begin), behind_break(text, line_end(text, behind)), "", parent);
    } else if (!trailing && i + 1 < entries.size() &&
               !has_break(text, end, begin_of(entries[i + 1]))) {
      patch(begin, begin_of(entries[i + 1]), "", parent);
    } else if (trailing && i + 1 == entries.size()) {
      patch(begin, end, "", parent);
    } else {
      patch(begin, behind, "", parent);
    }
  }

  std::string tail;
  const bool own_lines =
      is_first_on_line(text, begin_of(*last_kept)) && begin_of(*last_kept) > node.begin + 1;
  for (const Insertion& insertion : change.insertions) {
    const std::string entry = entry_text(parent, insertion, text.size());
    if (insertion.before == kNoNode) {
      if (own_lines && !tail.empty()) tail += ",";
      const std::size_t last = begin_of(*last_kept);
      tail += own_lines ? layout_->newline + blanks(last - line_begin(text, last)) + entry
                        : ", " + entry;
      continue;
    }
    const std::size_t next = begin_of(insertion.before);
    const bool on_line = !is_first_on_line(text, next) || next == node.begin + 1;
    patch(next, next,
          entry + (on_line ? ", " : "," + layout_->newline + blanks(next - line_begin(text, next))),
          parent);
  }
  if (!tail.empty())
    append_flow(parent, *last_kept, !comma_gone && *last_kept == entries.back(), tail);
  if (bare_pair) patch(node.end, node.end, "}", parent);
}

/// `text` begins with ", " or with a line of its own. `last_stays`: no entry behind `last` goes.
void Editor::append_flow(NodeId parent, NodeId last, bool last_stays, const std::string& fresh) {
  const std::string_view text = document_.text();
  const std::size_t end = content_end(document_, parent, last);
  if (fresh.front() == ',') return patch(end, end, fresh, parent);
  const std::size_t comma = last_stays ? behind_space(text, end) : std::string::npos;
  const bool has_comma = comma != std::string::npos && at(comma) == ',';
  const std::size_t behind = has_comma ? comma + 1 : end;
  if (!is_rest_of_line(text, behind)) return patch(end, end, "," + fresh, parent);
  const std::size_t line = line_end(text, behind);
  if (!has_comma && line == end) return patch(end, end, "," + fresh, parent);
  if (!has_comma) patch(end, end, ",", parent);
  patch(line, line, fresh + (has_comma ? "," : ""), parent);
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
  // A new block scalar at the end has the break that is part of its value, and no line of blanks
  // behind it that would be part of it too.
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
