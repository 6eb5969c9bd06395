#include "yaml/relayout.h"

#include <algorithm>
#include <vector>

#include "yaml/internal/chars.h"
#include "yaml/internal/extent.h"

namespace portico::yaml {
namespace {

/// How much deeper than its key a block list in a block map is indented; -1 for anything else.
int depth(const Document& document, NodeId map, NodeId value) {
  const Node& node = document[value];
  if (node.kind != Kind::kSeq || node.style != Style::kBlock) return -1;
  return static_cast<int>(node.column) - static_cast<int>(document[map].column);
}

template <class Visit>
void visit_lists(const Document& document, const Visit& visit) {
  for (NodeId map = 0; map < document.nodes().size(); ++map) {
    if (document[map].kind != Kind::kMap || document[map].style != Style::kBlock) continue;
    for (NodeId key = map + 1; key < document[map].next;) {
      const NodeId value = document[key].next;
      if (depth(document, map, value) >= 0 && document.first_child(value) != kNoNode)
        visit(map, value);
      key = document[value].next;
    }
  }
}

struct Line {
  std::size_t begin, end;  // without its line break
  int shift = 0;
  bool in_scalar = false;  // the line begins inside a scalar
};

class Relayout {
 public:
  explicit Relayout(const Document& document) : document_(document), text_(document.text()) {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = line_end(text_, at);
      lines_.push_back({at, end});
      at = behind_break(text_, end);
    }
    for (const Node& node : document.nodes()) {
      if (node.is_collection()) continue;
      const std::size_t last = line_of(node.end);
      for (std::size_t line = line_of(node.begin) + 1; line <= last && line < lines_.size(); ++line)
        lines_[line].in_scalar = true;
    }
  }

  /// Moves every list to `wanted` blanks deeper than its key.
  void move_lists(int wanted) {
    visit_lists(document_, [&](NodeId map, NodeId list) {
      const int shift = wanted - depth(document_, map, list);
      if (shift == 0) return;
      NodeId last = document_.first_child(list);
      for (NodeId next = last; next != kNoNode; next = document_.next_sibling(list, next))
        last = next;
      const std::size_t begin = extent_of(document_, list, document_.first_child(list)).begin;
      const std::size_t end = extent_of(document_, list, last).end;
      for (Line& line : lines_)
        if (line.begin >= line_begin(text_, begin) && line.begin < end) line.shift += shift;
    });
  }

  std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      std::string_view rest = text_.substr(line.begin, line.end - line.begin);
      const std::size_t indent = std::min(rest.find_first_not_of(' '), rest.size());
      const bool blank = rest.find_first_not_of(" \t") == std::string_view::npos;
      if (blank && !line.in_scalar && !between_comments(i)) continue;
      if (!blank) {
        const int now = std::max(static_cast<int>(indent) + line.shift, 0);
        out.append(static_cast<std::size_t>(now), ' ');
        rest.remove_prefix(indent);
      }
      out += rest;
      out += '\n';
    }
    return out;
  }

 private:
  std::size_t line_of(std::size_t offset) const {
    const auto at =
        std::upper_bound(lines_.begin(), lines_.end(), offset,
                         [](std::size_t o, const Line& line) { return o < line.begin; });
    return at == lines_.begin() ? 0 : static_cast<std::size_t>(at - lines_.begin()) - 1;
  }

  bool is_comment(std::size_t i) const {
    const std::size_t first = text_.find_first_not_of(" \t", lines_[i].begin);
    return first < lines_[i].end && text_[first] == '#' && !lines_[i].in_scalar;
  }

  bool between_comments(std::size_t i) const {
    return i > 0 && i + 1 < lines_.size() && is_comment(i - 1) && is_comment(i + 1);
  }

  const Document& document_;
  const std::string_view text_;
  std::vector<Line> lines_;
};

}  // namespace

bool has_wide_lists(const Document& document) {
  bool found = false, wide = false;
  visit_lists(document, [&](NodeId map, NodeId list) {
    if (!found) wide = depth(document, map, list) > 0;
    found = true;
  });
  return wide;
}

std::string relaid(const Document& document, Lists lists) {
  Relayout relayout(document);
  if (lists != Lists::kKeep) relayout.move_lists(lists == Lists::kWide ? 2 : 0);
  return relayout.text();
}

}  // namespace portico::yaml
