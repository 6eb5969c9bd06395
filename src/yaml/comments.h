// Where comments stand. They are no nodes: they are found in the text around nodes when asked for.
#pragma once

#include <cstddef>
#include <string_view>

#include "yaml/document.h"

namespace portico::yaml {

/// A range of a document's text. Without anything there, begin == end is where it would go.
struct Span {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

/// The comment on the line of a node, from '#': behind a scalar, alias or flow collection (and the
/// ',' that may follow it), behind a block scalar's header, behind the key or dash of a block
/// collection. Empty ones begin where a comment could be written, the blanks before it included.
Span line_comment(const Document& document, NodeId id);

}  // namespace portico::yaml
