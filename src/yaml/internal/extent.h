// The lines of an entry of a block collection, including its own comments above and below.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "yaml/document.h"

namespace portico::yaml {

/// An entry's text. `begin` is the start of a line, unless the entry is the first of a collection
/// that begins on its indicator's line ("- a: 1"): then `begin` is the entry itself and `in_line`
/// is set. `end` is after the line break of the last line.
struct Extent {
  std::size_t begin = 0, end = 0;
  bool in_line = false;
};

/// `child` is an item of a block list or a key of a block map. A comment belongs to the entry below
/// if it is directly above it. It belongs to the entry before if it is indented more than the next
/// entry, or is directly below the entry before and not directly above the next.
Extent extent_of(const Document& document, NodeId parent, NodeId child);
/// The same for callers that already have the entry before; kNoNode for the first entry.
Extent extent_of(const Document& document, NodeId parent, NodeId child, NodeId before);

/// The end of an entry's content; for a key, the end of its value.
std::size_t content_end(const Document& document, NodeId parent, NodeId child);

/// Whether only blanks precede `at` on its line.
bool is_first_on_line(std::string_view text, std::size_t at);
/// Whether only blanks or a comment follow from `at` on its line.
bool is_rest_of_line(std::string_view text, std::size_t at);
/// Whether [begin, end) spans several lines or holds a comment.
bool has_break(std::string_view text, std::size_t begin, std::size_t end);

/// Indents each line except the first by `shift` blanks more (or fewer) and uses `newline` for line
/// breaks. Empty lines stay empty.
std::string shifted(std::string_view lines, int shift, std::string_view newline);

}  // namespace portico::yaml
