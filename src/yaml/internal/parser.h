// Parses text to nodes: recursive descent over YAML 1.2.2; records offsets and decodes nothing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "yaml/document.h"
#include "yaml/internal/chars.h"

namespace portico::yaml {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Reads the documents of one text in turn. Functions that return bool return false after fail().
class Parser {
 public:
  /// One document; offsets are relative to the whole text.
  struct Raw {
    std::size_t begin = 0;  // includes the comments before the document
    std::size_t body = 0;   // after a byte order mark and a line that only separates
    std::size_t end = 0;
    std::vector<Node> nodes;  // empty: there was no further document
    std::vector<std::pair<std::string, std::string>> tag_handles;
    bool explicit_start = false;
    bool explicit_end = false;
  };

  /// `text` must be followed by '\0', as in std::string, and must outlive the parser.
  Parser(std::string_view text, const ParseOptions& options);

  Result<Raw> next();

 private:
  /// Where a node is, which decides what may begin on the indicator's line.
  enum class Place {
    kBare,      // the root of a document without "---"
    kMarker,    // the root after "---": no block collection on that line
    kItem,      // after '-': a collection may begin on the line
    kExplicit,  // after '?' and its ':': the same, and a list at the indicator's column
    kValue,     // after "key:": no block collection on that line, but a list at the key's column
  };

  struct Properties {
    std::size_t begin = std::string::npos;
    std::string_view anchor;
    bool has_anchor = false, has_tag = false;
    bool any() const { return has_anchor || has_tag; }
  };

  // parser.cc: characters, documents
  bool fail(std::size_t at, std::string what);
  Result<Done> check_characters();
  bool document(Raw& raw);
  bool directive();
  bool close_document(Raw& raw);
  char at(std::size_t offset) const { return text_[offset]; }
  char here() const { return text_[p_]; }
  int column(std::size_t offset) const { return static_cast<int>(offset - line_); }
  bool lenient() const { return options_.dialect == Dialect::kKpt; }
  bool at_end() const { return p_ >= size_; }
  bool is_marker(std::size_t line) const;
  bool at_marker() const { return p_ == line_ && is_marker(p_); }
  bool skip();
  void skip_blanks();
  void next_line();
  /// The column of p_ if only spaces precede it on its line, kTab if tabs do, else kBusy.
  int fresh_column() const;
  int leading_spaces() const;
  static constexpr int kTab = -2, kBusy = -3;

  // block.cc
  bool block_node(int indent, Place place, std::size_t lead);
  bool block_content(int indent, Place place, std::size_t lead, bool fresh, Properties& outer,
                     Properties& inner);
  bool block_seq(int col, std::size_t lead, const Properties& props);
  bool block_map(int col, std::size_t lead, const Properties& props, NodeId first_key);
  bool block_map_entry(int col);
  bool block_value(int col);
  bool explicit_entry(int col);
  bool block_scalar(int indent, std::size_t lead, const Properties& props);
  bool ends_block(int indent, Place place) const;
  bool is_indicator(char c) const { return here() == c && is_space_or_end(at(p_ + 1)); }

  // inline.cc
  bool inline_node(int indent, bool flow, bool one_line, std::size_t lead, const Properties& props);
  bool properties(Properties& props);
  bool join_properties(Properties& into, const Properties& more);
  bool tag(Properties& props);
  bool alias(std::size_t lead, const Properties& props);
  bool quoted(int indent, std::size_t lead, const Properties& props);
  bool escape();
  bool plain(int indent, bool flow, bool one_line, std::size_t lead, const Properties& props);
  bool continue_line(int indent, bool closers_may_dedent);
  bool flow_collection(int indent, std::size_t lead, const Properties& props);
  bool flow_entry(int indent, bool map);
  bool flow_node(int indent, std::size_t lead);
  bool flow_pair(std::size_t begin, NodeId pair);
  bool flow_value(int indent, NodeId key, bool adjacent);
  bool flow_skip(int indent);
  bool is_flow_colon(bool adjacent) const;

  // nodes
  NodeId add(Kind kind, Style style, std::size_t lead, std::size_t begin, std::size_t end,
             const Properties& props);
  void set_anchor(std::string_view name, NodeId id);
  NodeId add_absent(std::size_t lead, std::size_t where, const Properties& props);
  NodeId insert_collection(NodeId before, Kind kind, Style style, int col, std::size_t lead,
                           const Properties& props);
  void close_collection(NodeId id);

  std::string_view text_;
  std::size_t size_;
  ParseOptions options_;
  std::size_t p_ = 0;
  std::size_t line_ = 0;
  int depth_ = 0;
  bool checked_ = false;
  bool directives_allowed_ = true;
  std::vector<Node> nodes_;
  std::map<std::string_view, NodeId> anchors_;
  std::vector<std::pair<std::string_view, NodeId>> anchored_;  // in parse order
  std::vector<std::pair<std::string, std::string>> tag_handles_;
  Error error_;
};

/// "line:column" of an offset, from 1; a character counts as one column.
std::string place_text(std::string_view text, std::size_t offset, std::size_t lines_before = 0);

}  // namespace portico::yaml
