// Arbitrary bytes parse or are refused; nodes lie inside the text and their parents; and the parts
// of a stream add up to the stream.
#include <cstdint>
#include <cstdlib>

#include "yaml/comments.h"
#include "yaml/document.h"
#include "yaml/resolve.h"

namespace portico::yaml {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto parts = parse_stream(text);
  if (!parts) {
    if (parts.error().where.empty() || parts.error().what.empty()) std::abort();
    return 0;
  }
  std::string joined;
  for (const StreamPart& part : *parts) {
    joined += part.before + part.document.text() + part.after;
    const Document& document = part.document;
    for (NodeId id = 0; id < document.nodes().size(); ++id) {
      const Node& node = document[id];
      if (node.lead > node.props || node.props > node.begin || node.begin > node.end ||
          node.end > document.text().size() || node.next <= id ||
          node.next > document.nodes().size())
        std::abort();
      NodeId last = id;
      for (NodeId child = document.first_child(id); child != kNoNode;
           child = document.next_sibling(id, child)) {
        if (document[child].props < node.begin || document[child].end > node.end) std::abort();
        if (last != id && document[child].props < document[last].end) std::abort();
        last = child;
      }
      if (node.kind == Kind::kScalar) {
        (void)document.scalar(id);
        (void)resolve(document, id);
      }
      (void)document.tag(id);
      (void)document.anchor(id);
      const Span comment = line_comment(document, id);
      if (comment.begin > comment.end || comment.end > document.text().size()) std::abort();
    }
    // A document's text parses on its own.
    const auto again = Document::parse(document.text());
    if (!again || again->nodes().size() != document.nodes().size()) std::abort();
  }
  if (!parts->empty() && joined != text) std::abort();
  return 0;
}

}  // namespace portico::yaml
