// Which lines belong to an entry of a block collection: itself, the comments above it that are its
// own, and those below it that are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "yaml/document.h"

namespace portico::yaml {

/// An entry's text. `begin` is the start of a line, unless the entry is the first of a collection
/// that stands on its indicator's line ("- a: 1"): then it is the entry itself and `in_line` is
/// set. `end` is behind the break of the last line.
struct Extent {
  std::size_t begin = 0, end = 0;
  bool in_line = false;
};

/// `child` is an item of a block list or a key of a block map. A comment belongs to the entry below
/// it when it stands directly above it, and to the entry before when it is indented more than the
/// next entry, or stands directly below the entry before and not directly above the next.
Extent extent_of(const Document& document, NodeId parent, NodeId child);
/// The same, for who knows the entry `before`, which is kNoNode for the first.
Extent extent_of(const Document& document, NodeId parent, NodeId child, NodeId before);

/// The end of an entry's own content: of the value, for a key.
std::size_t content_end(const Document& document, NodeId parent, NodeId child);

/// Only blanks stand before `at` on its line.
bool is_first_on_line(std::string_view text, std::size_t at);
/// Only blanks, or a comment, stand from `at` to the end of its line.
bool is_rest_of_line(std::string_view text, std::size_t at);
/// [begin, end) is more than one line, or holds a comment.
bool has_break(std::string_view text, std::size_t begin, std::size_t end);

/// The lines with `shift` blanks more (or less) in front of each but the first, and breaks as
/// `newline`; empty lines stay empty.
std::string shifted(std::string_view lines, int shift, std::string_view newline);

}  // namespace portico::yaml
