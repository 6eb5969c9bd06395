// Edits inside '[' and '{'.
#include <algorithm>

#include "yaml/edit.h"
#include "yaml/internal/chars.h"
#include "yaml/internal/extent.h"

namespace portico::yaml {
namespace {

/// The text before `at` on its line.
std::string margin_of(std::string_view text, std::size_t at) {
  const std::size_t begin = line_begin(text, at);
  return std::string(text.substr(begin, at - begin));
}

/// The offset after the blanks, breaks and comments at `at`.
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

}  // namespace

/// Whether a ':' directly after the node would be read as part of an alias, anchor or tag, or
/// together with a '?' before the node as the beginning of a word.
bool Editor::ends_in_name(NodeId id) const {
  const Node& node = document_[id];
  return node.kind == Kind::kAlias ||
         (node.is_absent() && (node.props != node.begin || at(node.begin - 1) == '?'));
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

/// An entry of a flow collection that has one line per entry.
std::string Editor::entry_on_own_line(NodeId parent, const Insertion& insertion,
                                      const std::string& margin) const {
  if (!layout_->json) return margin + entry_text(parent, insertion, document_.text().size());
  const std::string_view text = document_.text();
  const Node& node = document_[parent];
  const std::size_t line = line_begin(text, node.begin);
  const std::string_view outer = text.substr(line, text.find_first_not_of(" \t", line) - line);
  const bool deeper = margin.size() > outer.size() && margin.starts_with(outer);
  const std::string unit = deeper ? margin.substr(outer.size()) : "  ";
  return margin +
         flow_entry(node.kind, insertion.name, json_lines(insertion.tree, margin, unit, *layout_));
}

/// A '?' without a key that ends at `at` needs a blank before ',' or a bracket.
std::string Editor::blank_behind(std::size_t at) const {
  const bool alone = at >= 2 && this->at(at - 1) == '?' &&
                     (is_space_or_end(this->at(at - 2)) || is_flow_indicator(this->at(at - 2)));
  return alone ? " " : "";
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
  std::size_t behind_comma = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (stays(entries[i])) continue;
    const std::size_t begin = begin_of(entries[i]), end = end_of(entries[i]);
    std::size_t behind = behind_space(text, end);
    const bool comma = at(behind) == ',';
    behind = comma ? behind + 1 : end;
    const bool trailing = entries[i] > *last_kept;
    if (trailing && !comma_gone) {
      // The preceding comma is removed with the entry that it separates.
      const std::size_t kept_end = end_of(*last_kept);
      if (!has_break(text, kept_end, end_of(entries.back()))) {
        patch(kept_end, end_of(entries.back()), blank_behind(kept_end), parent);
        break;
      }
      const std::size_t separator = behind_space(text, kept_end);
      patch(separator, separator + 1, "", parent);
      comma_gone = true;
      behind_comma = separator + 1;
    }
    if (is_first_on_line(text, begin) && is_rest_of_line(text, behind)) {
      patch(line_begin(text, begin), behind_break(text, line_end(text, behind)), "", parent);
    } else if (!trailing && i + 1 < entries.size() &&
               !has_break(text, end, begin_of(entries[i + 1]))) {
      patch(begin, begin_of(entries[i + 1]), "", parent);
    } else if (trailing && i + 1 == entries.size()) {
      // The closing bracket moves up to the last kept entry if only blanks are in between.
      const bool alone =
          text.substr(behind_comma, begin - behind_comma).find_first_not_of(" \t\r\n") ==
          std::string_view::npos;
      patch(alone ? behind_comma : begin, end, "", parent);
    } else {
      patch(begin, behind, "", parent);
    }
  }

  std::string tail;
  const bool own_lines =
      is_first_on_line(text, begin_of(*last_kept)) && begin_of(*last_kept) > node.begin + 1;
  for (const Insertion& insertion : change.insertions) {
    const auto entry = [&] { return entry_text(parent, insertion, text.size()); };
    const auto own_line = [&](std::size_t neighbour) {
      return entry_on_own_line(parent, insertion, margin_of(text, neighbour));
    };
    if (insertion.before == kNoNode) {
      if (own_lines && !tail.empty()) tail += ",";
      tail += own_lines ? layout_->newline + own_line(begin_of(*last_kept)) : ", " + entry();
      continue;
    }
    const std::size_t next = begin_of(insertion.before);
    if (!is_first_on_line(text, next) || next == node.begin + 1)
      patch(next, next, entry() + ", ", parent);
    else
      patch(line_begin(text, next), line_begin(text, next), own_line(next) + "," + layout_->newline,
            parent);
  }
  if (!tail.empty())
    append_flow(parent, *last_kept, !comma_gone && *last_kept == entries.back(), tail);
  if (bare_pair) patch(node.end, node.end, "}", parent);
}

/// `text` begins with ", " or with its own line. `last_stays`: no entry after `last` is removed.
void Editor::append_flow(NodeId parent, NodeId last, bool last_stays, const std::string& fresh) {
  const std::string_view text = document_.text();
  const std::size_t end = content_end(document_, parent, last);
  const std::string blank = blank_behind(end);
  if (fresh.front() == ',') return patch(end, end, blank + fresh, parent);
  const std::size_t comma = last_stays ? behind_space(text, end) : std::string::npos;
  const bool has_comma = comma != std::string::npos && at(comma) == ',';
  const std::size_t behind = has_comma ? comma + 1 : end;
  if (!is_rest_of_line(text, behind)) return patch(end, end, blank + "," + fresh, parent);
  const std::size_t line = line_end(text, behind);
  if (!has_comma && line == end) return patch(end, end, blank + "," + fresh, parent);
  if (!has_comma) patch(end, end, blank + ",", parent);
  patch(line, line, fresh + (has_comma ? "," : ""), parent);
}

}  // namespace portico::yaml
