#include "yaml/internal/extent.h"

#include <algorithm>

#include "yaml/internal/chars.h"

namespace portico::yaml {
namespace {

struct Line {
  std::size_t begin, end, next;
  std::size_t indent;  // offset of the first non-blank character from begin
  bool blank, comment;
};

Line line_at(std::string_view text, std::size_t begin) {
  Line line{begin, line_end(text, begin), 0, 0, false, false};
  line.next = behind_break(text, line.end);
  while (begin + line.indent < line.end && is_blank(text[begin + line.indent])) ++line.indent;
  line.blank = begin + line.indent == line.end;
  line.comment = !line.blank && text[begin + line.indent] == '#';
  return line;
}

std::size_t previous_line(std::string_view text, std::size_t begin) {
  std::size_t end = begin - 1;
  if (end > 0 && text[end] == '\n' && text[end - 1] == '\r') --end;
  return line_begin(text, end);
}

/// The offset after the comments below an entry at `column` that belong to it.
std::size_t behind_feet(std::string_view text, std::size_t at, std::size_t column) {
  std::size_t end = at;
  for (std::size_t i = at; i < text.size();) {
    Line line = line_at(text, i);
    bool crossed_blank = false;
    while (line.blank && line.next < text.size()) {
      crossed_blank = true;
      line = line_at(text, line.next);
    }
    if (!line.comment) break;
    // Comments indented more than the next entry belong to this one; then a group at the entry's
    // column, if it is directly below this entry and not directly above the next.
    std::size_t group = line.begin;
    const bool deeper = line.indent > column;
    while (line.comment && (deeper ? line.indent > column : line.indent == column)) {
      group = line.next;
      if (line.next >= text.size()) break;
      line = line_at(text, line.next);
    }
    if (group <= end) break;
    const bool loose = group >= text.size() || line.blank || line.indent < column;
    if (!deeper && (crossed_blank || !loose)) break;
    end = i = group;
  }
  return end;
}

}  // namespace

bool is_first_on_line(std::string_view text, std::size_t at) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  return at == 0 || is_break(text[at - 1]);
}

bool is_rest_of_line(std::string_view text, std::size_t at) {
  const std::size_t end = line_end(text, at);
  std::size_t i = at;
  while (i < end && is_blank(text[i])) ++i;
  return i == end || text[i] == '#';
}

bool has_break(std::string_view text, std::size_t begin, std::size_t end) {
  return text.substr(begin, end - begin).find_first_of("\r\n#") != std::string_view::npos;
}

std::size_t content_end(const Document& document, NodeId parent, NodeId child) {
  if (document[parent].kind != Kind::kMap) return document[child].end;
  return std::max(document[child].end, document[document[child].next].end);
}

Extent extent_of(const Document& document, NodeId parent, NodeId child) {
  NodeId before = kNoNode;
  for (NodeId next = parent + 1; next != child; next = document[next].next) {
    before = next;
    if (document[parent].kind == Kind::kMap) next = document[next].next;
  }
  return extent_of(document, parent, child, before);
}

Extent extent_of(const Document& document, NodeId parent, NodeId child, NodeId before) {
  const std::string_view text = document.text();
  const std::size_t column = document[parent].column;
  Extent out;
  const std::size_t first = document[child].lead;
  out.in_line = !is_first_on_line(text, first);
  out.begin = out.in_line ? first : line_begin(text, first);
  if (!out.in_line) {
    // Upper limit: the entry before, or the parent's indicator.
    std::size_t limit = 0;
    if (before == kNoNode) {
      if (parent != Document::root())
        limit = behind_break(text, line_end(text, document[parent].lead));
    } else {
      limit = behind_break(text, line_end(text, content_end(document, parent, before)));
    }
    while (out.begin > limit) {
      const Line line = line_at(text, previous_line(text, out.begin));
      if (!line.comment || line.indent > column || line.begin < limit) break;
      out.begin = line.begin;
    }
  }
  const std::size_t end = content_end(document, parent, child);
  out.end = behind_feet(text, behind_break(text, line_end(text, end)), column);
  return out;
}

std::string shifted(std::string_view lines, int shift, std::string_view newline) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = line_end(lines, at), next = behind_break(lines, end);
    if (at > 0) {
      std::size_t indent = 0;
      while (at + indent < end && lines[at + indent] == ' ') ++indent;
      if (at + indent < end)
        out.append(static_cast<std::size_t>(std::max(static_cast<int>(indent) + shift, 0)), ' ');
      at += indent;
    }
    out += lines.substr(at, end - at);
    if (next > end) out += newline;
    at = next;
  }
  return out;
}

}  // namespace portico::yaml
