// Block collections and block scalars (YAML 1.2.2 chapter 8).
#include <algorithm>

#include "yaml/internal/parser.h"

namespace portico::yaml {

/// Whether the token at p_, the first on its line, is outside a node indented more than `indent`.
bool Parser::ends_block(int indent, Place place) const {
  if (at_end() || at_marker()) return true;
  if (column(p_) > indent) return false;
  const bool list_at_key = (place == Place::kValue || place == Place::kExplicit) &&
                           column(p_) == indent && is_indicator('-');
  return !list_at_key;
}

/// A node after its indicator, which ends at p_. Anchors and tags alone on a line belong to the
/// node that follows; on a line with a key they belong to the key.
bool Parser::block_node(int indent, Place place, std::size_t lead) {
  std::size_t where = p_;
  if (++depth_ > options_.depth)
    return fail(p_, "nested deeper than " + std::to_string(options_.depth) + " levels");
  Properties outer;
  bool fresh = place == Place::kBare;
  for (;;) {
    fresh |= skip();
    if (at_end() || (fresh && ends_block(indent, place))) {
      add_absent(lead, where, outer);
      break;
    }
    Properties inner;
    const std::size_t line = line_;
    if (fresh && leading_spaces() <= indent && fresh_column() == kTab)
      return fail(p_, "found a tab character in the indentation; use spaces");
    if (here() == '&' || here() == '!') {
      inner.begin = p_;
      if (!properties(inner)) return false;
      where = p_;
      skip();
      if (line != line_ || at_end()) {
        if (!join_properties(outer, inner)) return false;
        fresh = true;
        continue;
      }
    }
    if (!block_content(indent, place, lead, fresh, outer, inner)) return false;
    break;
  }
  --depth_;
  return true;
}

/// `outer` are the properties from earlier lines, `inner` those on the content's line.
bool Parser::block_content(int indent, Place place, std::size_t lead, bool fresh, Properties& outer,
                           Properties& inner) {
  const std::size_t start = inner.any() ? inner.begin : p_;
  const int col = column(start);
  // Only spaces may stand between an indicator, or the margin, and a collection that begins there.
  bool spaces_only = true;
  for (std::size_t i = start; i > line_ && is_blank(at(i - 1)); --i)
    spaces_only &= at(i - 1) == ' ';
  const bool may_begin =
      (fresh || place == Place::kItem || place == Place::kExplicit) && spaces_only;

  const bool list = is_indicator('-');
  const bool map = is_indicator('?') || is_indicator(':');
  if (list || map) {
    if (inner.any() && !is_indicator(':'))
      return fail(p_, "the anchor or tag of a list or map must be on the line before it");
    if (!spaces_only) return fail(p_, "found a tab character in the indentation; use spaces");
    if (!may_begin) return fail(p_, "a list or map cannot start on this line");
    if (list) return block_seq(col, lead, outer);
    if (is_indicator('?')) return block_map(col, lead, outer, kNoNode);
    const NodeId key = add_absent(std::string::npos, p_, inner);
    return block_map(col, lead, outer, key);
  }
  if (here() == '|' || here() == '>') {
    if (!join_properties(outer, inner)) return false;
    return block_scalar(indent, lead, outer);
  }

  const NodeId node = static_cast<NodeId>(nodes_.size());
  const std::size_t line = line_;
  if (!inline_node(indent, false, false, lead, inner)) return false;
  const std::size_t behind = p_;
  skip_blanks();
  if (!is_indicator(':')) {
    p_ = behind;
    if (!outer.any()) return true;
    if (nodes_[node].kind == Kind::kAlias)
      return fail(start, "an alias cannot have an anchor or tag");
    if (inner.any() && !join_properties(outer, inner)) return false;
    nodes_[node].props = static_cast<std::uint32_t>(outer.begin);
    nodes_[node].has_anchor |= outer.has_anchor;
    nodes_[node].has_tag |= outer.has_tag;
    if (outer.has_anchor) set_anchor(outer.anchor, node);
    return true;
  }
  if (line != line_) return fail(p_, "a key must be on one line; quote the text before ':'");
  if (!spaces_only) return fail(start, "found a tab character in the indentation; use spaces");
  if (!may_begin)
    return fail(
        p_, "mapping values are not allowed in this context; quote the text if ':' is part of it");
  return block_map(col, lead, outer, node);
}

bool Parser::block_seq(int col, std::size_t lead, const Properties& props) {
  const NodeId seq = add(Kind::kSeq, Style::kBlock, lead, p_, p_, props);
  nodes_[seq].column = static_cast<std::uint32_t>(col);
  for (;;) {
    const std::size_t dash = p_++;
    if (!block_node(col, Place::kItem, dash)) return false;
    skip();
    if (at_end() || at_marker()) break;
    const int next = fresh_column();
    if (next == kBusy) return fail(p_, "unexpected text after a list item");
    if (next == kTab) return fail(p_, "found a tab character in the indentation; use spaces");
    if (next > col) return fail(p_, "indented more than the list it follows");
    if (next < col || !is_indicator('-')) break;
  }
  close_collection(seq);
  return true;
}

/// `first_key` is the key that revealed the map, p_ at its ':'; or kNoNode, p_ at the key.
bool Parser::block_map(int col, std::size_t lead, const Properties& props, NodeId first_key) {
  const NodeId map =
      insert_collection(first_key == kNoNode ? static_cast<NodeId>(nodes_.size()) : first_key,
                        Kind::kMap, Style::kBlock, col, lead, props);
  bool known_key = first_key != kNoNode;
  if (known_key && p_ - nodes_[map + 1].begin > 1024)
    return fail(nodes_[map + 1].begin, "a key longer than 1024 characters must start with '? '");
  for (;;) {
    if (known_key ? !block_value(col) : !block_map_entry(col)) return false;
    known_key = false;
    skip();
    if (at_end() || at_marker()) break;
    const int next = fresh_column();
    if (next == kBusy) return fail(p_, "unexpected text after a value");
    if (next == kTab) return fail(p_, "found a tab character in the indentation; use spaces");
    if (next > col) return fail(p_, "indented more than the map it follows");
    if (next < col) break;
    if (is_indicator('-')) return fail(p_, "expected a map key, found a list item");
  }
  close_collection(map);
  return true;
}

bool Parser::block_value(int col) {
  const std::size_t colon = p_++;
  return block_node(col, Place::kValue, colon);
}

bool Parser::block_map_entry(int col) {
  if (is_indicator('?')) return explicit_entry(col);
  Properties props;
  const std::size_t start = p_, line = line_;
  if (here() == '&' || here() == '!') {
    props.begin = p_;
    if (!properties(props)) return false;
    skip_blanks();
  }
  if (is_indicator(':')) {
    add_absent(std::string::npos, p_, props);
  } else {
    if (!inline_node(col, false, true, std::string::npos, props)) return false;
    skip_blanks();
  }
  if (line != line_ || !is_indicator(':'))
    return fail(start, "could not find expected ':' after a key");
  if (p_ - start > 1024)
    return fail(start, "a key longer than 1024 characters must start with '? '");
  return block_value(col);
}

bool Parser::explicit_entry(int col) {
  const std::size_t mark = p_++;
  const NodeId key = static_cast<NodeId>(nodes_.size());
  if (!block_node(col, Place::kExplicit, mark)) return false;
  skip();
  if (!at_end() && !at_marker() && is_indicator(':') && fresh_column() == col) {
    const std::size_t colon = p_++;
    return block_node(col, Place::kExplicit, colon);
  }
  add_absent(std::string::npos, nodes_[key].end, Properties{});
  return true;
}

bool Parser::block_scalar(int indent, std::size_t lead, const Properties& props) {
  const std::size_t begin = p_;
  const Style style = here() == '|' ? Style::kLiteral : Style::kFolded;
  bool keep = false, chomp = false;
  int digit = 0;
  for (++p_;; ++p_) {
    if ((here() == '+' || here() == '-') && !chomp) {
      chomp = true;
      keep = here() == '+';
    } else if (here() >= '1' && here() <= '9' && digit == 0) {
      digit = here() - '0';
    } else {
      break;
    }
  }
  skip_blanks();
  if (here() == '#' && (is_blank(at(p_ - 1)) || lenient())) p_ = line_end(text_, p_);
  if (!at_end() && !is_break(here()))
    return fail(p_, "only '+', '-', one digit from 1 to 9 and a comment may follow '|' or '>'");
  std::size_t end = p_;  // of the last significant line

  int content = digit == 0 ? -1 : (indent < 0 ? 0 : indent) + digit;
  int blank_width = 0;  // of the widest blank line before the first content
  std::size_t widest = 0;
  while (!at_end()) {
    next_line();
    if (at_end()) break;
    std::size_t i = line_;
    while (at(i) == ' ' && (content < 0 || static_cast<int>(i - line_) < content)) ++i;
    const int width = static_cast<int>(i - line_);
    const bool blank = is_break(at(i)) || i >= size_;
    if (blank) {
      if (content < 0 && width > blank_width) blank_width = width, widest = line_;
      p_ = i;
      if (keep) end = i;
      continue;
    }
    if (is_marker(line_)) break;
    if (content < 0) {
      if (width <= indent) {
        if (at(i) == '\t') return fail(i, "found a tab character in the indentation; use spaces");
        break;
      }
      if (lenient() && blank_width > width && at(i) == '#') break;  // no text before the comment
      content = width;
      if (blank_width > content)
        return fail(widest, "a blank line with more spaces than the first line of the text");
    } else if (width < content) {
      break;
    }
    p_ = end = line_end(text_, i);
  }
  // At the line that ends the scalar, or at the end of the text.
  if (!at_end()) p_ = line_;
  const NodeId id = add(Kind::kScalar, style, lead, begin, end, props);
  nodes_[id].column =
      static_cast<std::uint32_t>(content < 0 ? std::max(blank_width, indent + 1) : content);
  return true;
}

}  // namespace portico::yaml
