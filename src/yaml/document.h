// A YAML document without loss: its text, and a flat array of nodes that point into it.
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

/// One node. Offsets are bytes into the document's text; [begin, end) is the content as written:
/// quotes, brackets and a block scalar's header included, anchor and tag not. An absent (null)
/// node is an empty plain scalar right behind its indicator. Nodes stand in document order: a
/// collection's first child follows it, its next sibling is `next`; the children of a map are key
/// and value in turn.
struct Node {
  std::uint32_t lead = 0;   // the '-', '?' or ':' that introduces the node; else == props
  std::uint32_t props = 0;  // where anchor and tag begin; == begin without them
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // block scalars: behind the last line that counts, without its break
  NodeId next = 0;
  std::uint32_t column = 0;  // of a block collection: its entries' column; of a block scalar: its
                             // lines' indentation; of an alias: the NodeId it stands for
  Kind kind = Kind::kScalar;
  Style style = Style::kPlain;
  bool has_anchor : 1 = false;
  bool has_tag : 1 = false;
  bool is_verbatim : 1 = false;  // a plain or quoted scalar whose text, quotes off, is its value

  bool is_block_scalar() const { return style == Style::kLiteral || style == Style::kFolded; }
  bool is_collection() const { return kind == Kind::kMap || kind == Kind::kSeq; }
  /// Written as nothing at all: "key:" or "-".
  bool is_absent() const { return kind == Kind::kScalar && style == Style::kPlain && begin == end; }
};

/// What counts as YAML.
enum class Dialect : std::uint8_t {
  /// What kpt and Kubernetes read: the specification, and what go-yaml v3 takes besides: lines of
  /// quoted text, '[' and '{' with any indentation, a '#' right behind a quote or bracket, "\'",
  /// and a '-' alone in a flow list.
  kKpt,
  /// YAML 1.2.2 to the letter.
  kStrict,
};

struct ParseOptions {
  std::size_t bytes = 64u << 20;  // no more than this
  int depth = 512;                // of collections in collections
  Dialect dialect = Dialect::kKpt;
};

/// Immutable; a value. Every const function may be called by several threads at once.
class Document {
 public:
  /// Text with at most one document in it; tabs, comments, directives and a byte order mark where
  /// YAML 1.2.2 has them. Without any document, the root is an absent node.
  /// kInvalid, with "line:column" (from 1, in characters) as place, for what is no YAML.
  static Result<Document> parse(std::string text, const ParseOptions& options = {});

  const std::string& text() const { return text_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  static constexpr NodeId root() { return 0; }
  bool is_empty() const { return nodes_[0].is_absent() && nodes_[0].props == nodes_[0].begin; }
  bool explicit_start() const { return explicit_start_; }  // "---"
  bool explicit_end() const { return explicit_end_; }      // "..."

  /// The first child, or kNoNode. Siblings: next_sibling(parent, child).
  NodeId first_child(NodeId parent) const {
    return nodes_[parent].next == parent + 1 ? kNoNode : parent + 1;
  }
  NodeId next_sibling(NodeId parent, NodeId child) const {
    return nodes_[child].next == nodes_[parent].next ? kNoNode : nodes_[child].next;
  }
  std::size_t child_count(NodeId parent) const;  // of a map: keys and values

  /// As written, without anchor and tag.
  std::string_view source(NodeId id) const {
    return std::string_view(text_).substr(nodes_[id].begin, nodes_[id].end - nodes_[id].begin);
  }
  std::string_view anchor(
      NodeId id) const;  // without '&' ('*' of an alias); "" where there is none
  /// The tag in its full form: "tag:yaml.org,2002:str", "!local", "!" for the non-specific tag; ""
  /// where there is none.
  std::string tag(NodeId id) const;
  /// What an alias stands for; every other node is itself.
  NodeId target(NodeId id) const {
    return nodes_[id].kind == Kind::kAlias ? nodes_[id].column : id;
  }

  /// The value of a scalar: escapes, folding and chomping done. A view into the text where that
  /// is possible, else into `scratch`.
  std::string_view scalar(NodeId id, std::string& scratch) const;
  std::string scalar(NodeId id) const;

  /// "line:column" of an offset, as people count in the file that the document came from.
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

/// One document of a stream, with the text around it: all `before`, document texts and `after` in
/// turn are the stream, byte for byte. A line that only separates ("---", perhaps with a comment)
/// is no part of the document's text; a "---" with content or directives is.
struct StreamPart {
  std::string before;
  Document document;
  std::string after;
};

/// Every document of a stream that is not empty, in order; empty for a stream of blanks and
/// comments.
Result<std::vector<StreamPart>> parse_stream(std::string_view text,
                                             const ParseOptions& options = {});

/// Every document of a stream, the empty ones too.
Result<std::vector<Document>> parse_documents(std::string_view text,
                                              const ParseOptions& options = {});

}  // namespace portico::yaml
