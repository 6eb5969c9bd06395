// A lossless YAML document: its text, and a flat array of nodes that point into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace portico::yaml {

enum class Kind : std::uint8_t { kScalar, kMap, kSeq, kAlias };
enum class Style : std::uint8_t { kPlain, kSingle, kDouble, kLiteral, kFolded, kBlock, kFlow };

/// An index into Document::nodes().
using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffff;

/// One node. Offsets are bytes into the document's text. [begin, end) is the content as written,
/// including quotes, brackets and a block scalar's header, but not anchor and tag. An absent (null)
/// node is an empty plain scalar directly after its indicator. Nodes are in document order: a
/// collection's first child follows it, and `next` is its next sibling. The children of a map
/// alternate between key and value.
struct Node {
  std::uint32_t lead = 0;   // the '-', '?' or ':' that introduces the node; without one, == props
  std::uint32_t props = 0;  // where anchor and tag begin; without them, == begin
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // of block scalars: after the last significant line, without its break
  NodeId next = 0;
  std::uint32_t column = 0;  // column of a block collection's entries, indentation of a block
                             // scalar's lines, or NodeId of an alias's target
  Kind kind = Kind::kScalar;
  Style style = Style::kPlain;
  bool has_anchor : 1 = false;
  bool has_tag : 1 = false;
  bool is_verbatim : 1 = false;  // a plain or quoted scalar whose value is its unquoted text

  bool is_block_scalar() const { return style == Style::kLiteral || style == Style::kFolded; }
  bool is_collection() const { return kind == Kind::kMap || kind == Kind::kSeq; }
  /// Written as nothing at all: "key:" or "-".
  bool is_absent() const { return kind == Kind::kScalar && style == Style::kPlain && begin == end; }
};

/// The accepted YAML dialects.
enum class Dialect : std::uint8_t {
  /// What kpt and Kubernetes read: YAML 1.2.2, plus what go-yaml v3 also accepts: lines of quoted
  /// text, '[' and '{' with any indentation, a '#' directly after a quote or bracket, "\'", and a
  /// lone '-' in a flow list.
  kKpt,
  /// Strictly YAML 1.2.2.
  kStrict,
};

struct ParseOptions {
  std::size_t bytes = 64u << 20;  // upper limit
  int depth = 512;                // of nested collections
  Dialect dialect = Dialect::kKpt;
};

/// An immutable value type. Const functions are thread-safe.
class Document {
 public:
  /// Parses text with at most one document. Accepts tabs, comments, directives and a byte order
  /// mark where YAML 1.2.2 does. Without a document, the root is an absent node. kInvalid, with
  /// "line:column" (from 1, in characters) as place, for invalid YAML.
  static Result<Document> parse(std::string text, const ParseOptions& options = {});

  const std::string& text() const { return text_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  static constexpr NodeId root() { return 0; }
  bool is_empty() const { return nodes_[0].is_absent() && nodes_[0].props == nodes_[0].begin; }
  bool explicit_start() const { return explicit_start_; }  // "---"
  bool explicit_end() const { return explicit_end_; }      // "..."

  /// The first child, or kNoNode. See next_sibling(parent, child) for the others.
  NodeId first_child(NodeId parent) const {
    return nodes_[parent].next == parent + 1 ? kNoNode : parent + 1;
  }
  NodeId next_sibling(NodeId parent, NodeId child) const {
    return nodes_[child].next == nodes_[parent].next ? kNoNode : nodes_[child].next;
  }
  std::size_t child_count(NodeId parent) const;  // of a map: keys and values

  /// The node as written, without anchor and tag.
  std::string_view source(NodeId id) const {
    return std::string_view(text_).substr(nodes_[id].begin, nodes_[id].end - nodes_[id].begin);
  }
  std::string_view anchor(
      NodeId id) const;  // without '&' ('*' of an alias); "" where there is none
  /// The tag in its full form: "tag:yaml.org,2002:str", "!local", "!" for the non-specific tag; ""
  /// where there is none.
  std::string tag(NodeId id) const;
  /// The node that an alias stands for; any other node itself.
  NodeId target(NodeId id) const {
    return nodes_[id].kind == Kind::kAlias ? nodes_[id].column : id;
  }

  /// The value of a scalar, after escapes, folding and chomping. A view into the text where
  /// possible, else into `scratch`.
  std::string_view scalar(NodeId id, std::string& scratch) const;
  std::string scalar(NodeId id) const;

  /// "line:column" of an offset, counted in the file that the document came from.
  std::string place(std::size_t offset) const;

 private:
  friend struct StreamReader;
  std::string text_;
  std::vector<Node> nodes_;
  std::vector<std::pair<std::string, std::string>> tag_handles_;
  std::size_t lines_before_ = 0;
  bool explicit_start_ = false;
  bool explicit_end_ = false;
};

/// One document of a stream, with the text around it: concatenating every `before` and document
/// text, and `after`, gives the stream byte for byte. A line that only separates ("---", perhaps
/// with a comment) is not part of the document's text; a "---" with content or directives is.
struct StreamPart {
  std::string before;
  Document document;
  std::string after;
};

/// The non-empty documents of a stream, in order. Empty for a stream of blanks and comments.
Result<std::vector<StreamPart>> parse_stream(std::string_view text,
                                             const ParseOptions& options = {});

/// All documents of a stream, including empty ones.
Result<std::vector<Document>> parse_documents(std::string_view text,
                                              const ParseOptions& options = {});

}  // namespace portico::yaml
