#include "yaml/print.h"

#include <fmt/format.h>

#include <cmath>

#include "yaml/comments.h"
#include "yaml/internal/chars.h"
#include "yaml/internal/extent.h"
#include "yaml/resolve.h"

namespace portico::yaml {
namespace {

std::string margin(const Layout& layout, int column) {
  return layout.newline + std::string(static_cast<std::size_t>(column), ' ');
}

std::string_view without_last_break(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

ValueText split_line(std::string text) {
  const std::size_t end = line_end(text, 0);
  std::string below = text.substr(end);
  text.resize(end);
  return {" " + std::move(text), std::move(below)};
}

bool has_links(const Document& document, NodeId id) {
  for (NodeId at = id; at < document[id].next; ++at)
    if (document[at].kind == Kind::kAlias || document[at].has_anchor) return true;
  return false;
}

bool is_block_collection(const Node& node) {
  return node.is_collection() && node.style == Style::kBlock;
}

/// Whether a copy can keep its text, which requires that the text does not depend on the rest of
/// its document.
bool keeps_text(const Tree& tree) {
  const Document& document = *tree.document;
  if (has_links(document, tree.node)) return false;
  const Node& node = document[tree.node];
  if (node.has_tag && is_block_collection(node)) return false;
  // A block scalar at the end of a file without a final line break would get one.
  const Node& last = document[node.next - 1];
  if (last.is_block_scalar() && last.end == document.text().size()) return false;
  if (!node.is_block_scalar()) return true;
  for (std::size_t i = node.begin + 1; i < node.begin + 3 && i < document.text().size(); ++i)
    if (is_digit(document.text()[i])) return false;  // the indicator counts from another column
  return true;
}

std::string comment_behind(const Document& document, NodeId id) {
  const Span span = line_comment(document, id);
  if (span.empty()) return "";
  const std::string& text = document.text();
  std::size_t begin = span.begin;
  while (begin > 0 && is_blank(text[begin - 1])) --begin;
  return (begin == span.begin ? " " : "") + text.substr(begin, span.end - begin);
}

/// The entries of a block collection with their comments; the first line without its blanks.
std::string entries_text(const Document& document, NodeId id, int column, const Layout& layout) {
  const Node& node = document[id];
  NodeId last = id + 1;
  for (NodeId at = last; at < node.next;) {
    last = at;
    at = document[at].next;
    if (node.kind == Kind::kMap) at = document[at].next;
  }
  std::size_t begin = extent_of(document, id, id + 1).begin;
  const std::size_t end = extent_of(document, id, last).end;
  const std::string_view text = document.text();
  while (is_blank(text[begin])) ++begin;
  return shifted(without_last_break(text.substr(begin, end - begin)),
                 column - static_cast<int>(node.column), layout.newline);
}

/// Whether a node can be placed as written on a line of any flow collection.
bool fits_in_flow(const Document& document, NodeId id) {
  const Node& node = document[id];
  const bool closed =
      node.style == Style::kFlow || node.style == Style::kSingle || node.style == Style::kDouble;
  return closed && !node.has_tag && !has_links(document, id) &&
         document.source(id).find_first_of("\r\n") == std::string_view::npos;
}

/// How much deeper than its key a list is indented in its own document.
int own_list_indent(const Tree& tree) {
  if (tree.parent == kNoNode) return 0;
  const Node& parent = (*tree.document)[tree.parent];
  const int deeper = static_cast<int>((*tree.document)[tree.node].column - parent.column);
  return is_block_collection(parent) && parent.kind == Kind::kMap ? std::max(deeper, 0) : 0;
}

ValueText copy_text(const Tree& tree, int column, bool in_list, const Layout& layout) {
  const Document& document = *tree.document;
  const Node& node = document[tree.node];
  const std::string_view text = document.text();
  const std::string comment = comment_behind(document, tree.node);
  if (is_block_collection(node)) {
    int inner = column + (in_list ? 2 : layout.indent);
    if (node.kind == Kind::kSeq && !in_list)
      inner = column + (layout.has_lists ? layout.list_indent : own_list_indent(tree));
    const std::string entries = entries_text(document, tree.node, inner, layout);
    if (in_list && comment.empty()) return split_line(entries);
    return {comment, margin(layout, inner) + entries};
  }
  if (node.is_block_scalar()) {
    const std::size_t header = line_end(text, node.begin);
    const std::string below =
        shifted(text.substr(header, node.end - header),
                column + layout.indent - static_cast<int>(node.column), layout.newline);
    return {" " + std::string(text.substr(node.props, header - node.props)), below};
  }
  if (node.is_absent()) return {comment, ""};
  const std::string_view source = text.substr(node.props, node.end - node.props);
  ValueText out = split_line(shifted(source, 0, layout.newline));
  if (!out.below.empty()) {
    // Lines of a scalar or flow collection only have to be indented more than their parent.
    const int from = tree.parent == kNoNode ? 0 : static_cast<int>(document[tree.parent].column);
    out = split_line(shifted(source, column - from, layout.newline));
    out.below += comment;
  } else {
    out.line += comment;
  }
  return out;
}

/// The text of a copied entry; empty if it cannot be taken verbatim from its document.
std::string entry_text(const Tree& tree, Kind kind, int column, const Layout& layout) {
  if (tree.document == nullptr || tree.entry == kNoNode || !keeps_text(tree)) return "";
  const Document& document = *tree.document;
  const Node& parent = document[tree.parent];
  if (!is_block_collection(parent) || parent.kind != kind) return "";
  if (has_links(document, tree.entry)) return "";
  const Extent extent = extent_of(document, tree.parent, tree.entry);
  const std::string_view text = document.text();
  std::size_t begin = extent.begin;
  while (is_blank(text[begin])) ++begin;
  return shifted(without_last_break(text.substr(begin, extent.end - begin)),
                 column - static_cast<int>(parent.column), layout.newline);
}

/// A non-string scalar as JSON spells it. JSON has no infinity and no NaN: they stay as written.
std::string json_source(const std::string& plain) {
  const Resolved resolved = resolve_plain(plain);
  switch (resolved.type) {
    case Type::kNull:
      return "null";
    case Type::kBool:
      return resolved.boolean ? "true" : "false";
    case Type::kInt:
      return fmt::format("{}", resolved.integer);
    case Type::kUint:
      return fmt::format("{}", resolved.unsigned_integer);
    case Type::kFloat: {
      if (!std::isfinite(resolved.number)) return plain;
      const std::string text = fmt::format("{}", resolved.number);
      return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
    }
    default:
      return plain;
  }
}

}  // namespace

Layout layout_of(const Document& document) {
  Layout out;
  const std::string_view text = document.text();
  const std::size_t first_break = line_end(text, 0);
  if (first_break < text.size())
    out.newline = text.substr(first_break, behind_break(text, first_break) - first_break);
  const Node& root = document[Document::root()];
  out.json = root.style == Style::kFlow && root.next > 1 && document[1].style == Style::kDouble;
  bool indent = false, list_indent = false;
  for (NodeId map = 0; map < document.nodes().size() && !(indent && list_indent); ++map) {
    if (document[map].kind != Kind::kMap || document[map].style != Style::kBlock) continue;
    for (NodeId key = map + 1; key < document[map].next;) {
      const Node& value = document[document[key].next];
      const int deeper = static_cast<int>(value.column) - static_cast<int>(document[map].column);
      if (is_block_collection(value)) {
        if (value.kind == Kind::kMap && !indent && deeper > 0) {
          out.indent = deeper;
          indent = true;
        } else if (value.kind == Kind::kSeq && !list_indent) {
          out.list_indent = deeper;
          out.has_lists = list_indent = true;
        }
      }
      key = value.next;
    }
  }
  return out;
}

Tree tree_of(const Document& document, NodeId id) {
  const NodeId target = document.target(id);
  const Node& node = document[target];
  if (node.kind == Kind::kScalar) {
    const auto resolved = resolve(document, target);
    const std::string text = document.scalar(target);
    if (!resolved || resolved->type == Type::kString || resolved->type == Type::kMerge)
      return Tree::string(text);
    return Tree::plain(text.empty() ? "null" : text);
  }
  Tree out = node.kind == Kind::kMap ? Tree::map() : Tree::list();
  for (NodeId child = document.first_child(target); child != kNoNode;) {
    if (node.kind == Kind::kSeq) {
      out.items.push_back(tree_of(document, child));
    } else {
      const NodeId key = document.target(child);
      child = document[child].next;
      out.add(document[key].kind == Kind::kScalar ? document.scalar(key)
                                                  : std::string(document.source(key)),
              tree_of(document, child));
    }
    child = document.next_sibling(target, child);
  }
  return out;
}

ValueText value_text(const Tree& tree, int column, bool in_list, const Layout& layout,
                     Style style) {
  if (tree.document != nullptr) {
    const bool fits = layout.block_scalars ||
                      !(*tree.document)[(*tree.document)[tree.node].next - 1].is_block_scalar();
    if (fits && keeps_text(tree)) return copy_text(tree, column, in_list, layout);
    return value_text(tree_of(*tree.document, tree.node), column, in_list, layout, style);
  }
  if (tree.is_empty_collection()) return {tree.kind == Kind::kMap ? " {}" : " []", ""};
  if (tree.kind == Kind::kScalar) {
    if (!tree.is_string) return {tree.text.empty() ? "" : " " + tree.text, ""};
    return split_line(scalar_text(tree.text, style,
                                  {.column = column + layout.indent, .parent = column}, layout));
  }
  if (in_list) return split_line(block_text(tree, column + 2, layout));
  const int inner = column + (tree.kind == Kind::kSeq ? layout.list_indent : layout.indent);
  return {"", margin(layout, inner) + block_text(tree, inner, layout)};
}

std::string member_text(const std::string& name, const Tree& tree, int column,
                        const Layout& layout) {
  if (tree.entry != kNoNode && tree.document->scalar(tree.entry) == name) {
    std::string copied = entry_text(tree, Kind::kMap, column, layout);
    if (!copied.empty()) return copied;
  }
  const ValueText value = value_text(tree, column, false, layout);
  std::string key = key_source(name, false, layout);
  if (key.size() > 1024) {
    // Such a key needs the long form, whose value follows a separate ':'.
    const ValueText below = value_text(tree, column, true, layout);
    return "? " + key + margin(layout, column) + ":" + below.line + below.below;
  }
  return key + ":" + value.line + value.below;
}

std::string item_text(const Tree& tree, int column, const Layout& layout) {
  std::string copied = entry_text(tree, Kind::kSeq, column, layout);
  if (!copied.empty()) return copied;
  const ValueText value = value_text(tree, column, true, layout);
  return "-" + value.line + value.below;
}

std::string block_text(const Tree& tree, int column, const Layout& layout) {
  std::string out;
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    if (i > 0) out += margin(layout, column);
    out += tree.kind == Kind::kMap ? member_text(tree.names[i], tree.items[i], column, layout)
                                   : item_text(tree.items[i], column, layout);
  }
  return out;
}

std::string flow_text(const Tree& tree, const Layout& layout, Style style) {
  if (tree.document != nullptr) {
    if (!layout.json && fits_in_flow(*tree.document, tree.node))
      return std::string(tree.document->source(tree.node));
    return flow_text(tree_of(*tree.document, tree.node), layout, style);
  }
  if (tree.kind == Kind::kScalar) {
    if (tree.is_string) return scalar_text(tree.text, style, {.flow = true}, layout);
    return layout.json ? json_source(tree.text) : tree.text;
  }
  const bool map = tree.kind == Kind::kMap;
  std::string out = map ? "{" : "[";
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    if (i > 0) out += ", ";
    if (map) out += key_source(tree.names[i], true, layout) + ": ";
    out += flow_text(tree.items[i], layout);
  }
  return out + (map ? "}" : "]");
}

std::string json_lines(const Tree& tree, const std::string& margin, const std::string& unit,
                       const Layout& layout) {
  if (tree.document != nullptr)
    return json_lines(tree_of(*tree.document, tree.node), margin, unit, layout);
  if (tree.kind == Kind::kScalar || tree.items.empty()) return flow_text(tree, layout);
  const bool map = tree.kind == Kind::kMap;
  const std::string inner = margin + unit;
  std::string out;
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    out += (i == 0 ? "" : ",") + layout.newline + inner;
    if (map) out += key_source(tree.names[i], true, layout) + ": ";
    out += json_lines(tree.items[i], inner, unit, layout);
  }
  return (map ? "{" : "[") + out + layout.newline + margin + (map ? "}" : "]");
}

std::string print(const Tree& tree, const Layout& layout) {
  if (tree.kind == Kind::kScalar && tree.document == nullptr && tree.is_string)
    return scalar_text(tree.text, Style::kPlain, {.column = 2, .parent = 0}, layout) +
           layout.newline;
  if (tree.kind == Kind::kScalar || tree.is_empty_collection())
    return flow_text(tree, layout) + layout.newline;
  return block_text(tree, 0, layout) + layout.newline;
}

}  // namespace portico::yaml
