#include "yaml/comments.h"

#include "yaml/internal/chars.h"

namespace portico::yaml {
namespace {

/// The comment that begins at `at` or after the blanks there.
Span comment_at(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  if (begin >= text.size() || text[begin] != '#') return {at, at};
  return {begin, line_end(text, begin)};
}

}  // namespace

Span line_comment(const Document& document, NodeId id) {
  const std::string_view text = document.text();
  const Node& node = document[id];
  if (node.is_block_scalar()) {
    std::size_t at = node.begin + 1;
    while (at < text.size() && !is_space_or_end(text[at]) && text[at] != '#') ++at;
    return comment_at(text, at);
  }
  if (node.is_collection() && node.style == Style::kBlock) {
    if (node.lead == node.props) return {node.begin, node.begin};
    std::size_t at = node.lead + 1;
    while (at < node.begin && !is_break(text[at]) && text[at] != '#') ++at;
    if (at < node.begin && text[at] == '#' && is_blank(text[at - 1]))
      return {at, line_end(text, at)};
    while (at > node.lead + 1 && is_blank(text[at - 1])) --at;
    return {at, at};
  }
  const Span direct = comment_at(text, node.end);
  if (!direct.empty()) return direct;
  std::size_t at = node.end;
  while (at < text.size() && is_blank(text[at])) ++at;
  if (at < text.size() && text[at] == ',') return comment_at(text, at + 1);
  return direct;
}

}  // namespace portico::yaml
