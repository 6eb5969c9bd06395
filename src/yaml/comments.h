// Finds comments. Comments are not nodes: they are looked up in the text around nodes on request.
#pragma once

#include <cstddef>
#include <string_view>

#include "yaml/document.h"

namespace portico::yaml {

/// A range of a document's text. Where there is nothing, begin == end is the insertion point.
struct Span {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

/// The comment on a node's line, from '#': after a scalar, alias or flow collection (and a ','
/// after it), after a block scalar's header, or after the key or dash of a block collection. An
/// empty span begins where a comment could be written, including the blanks before it.
Span line_comment(const Document& document, NodeId id);

}  // namespace portico::yaml
