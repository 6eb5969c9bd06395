// Edits a document by patching its text: bytes that need no change stay.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "yaml/document.h"
#include "yaml/print.h"
#include "yaml/tree.h"

namespace portico::yaml {

/// Collects edits of one document and returns the new text. All node ids refer to that document.
/// For each node, only one kind of edit is allowed: replacing it, editing its entries, or removing
/// it. An entry's own comments are kept or removed with it (internal/extent.h defines which
/// comments those are).
class Editor {
 public:
  /// The document must outlive the editor. Without `block_scalars`, no text is written as a literal
  /// or folded scalar: lines that end up below it could be read as part of it.
  explicit Editor(const Document& document, bool block_scalars = true);

  /// Replaces `node` with `tree`. A scalar keeps the quoting style of the old scalar if possible.
  void replace(NodeId node, const Tree& tree);
  /// Renames a key and keeps its quoting style.
  void rename(NodeId key, const std::string& name);
  /// Removes a list item, or a map member by its key. A collection left without entries is written
  /// as "{}" or "[]".
  void remove(NodeId parent, NodeId child);
  /// Inserts a new entry before `before` (an item or key of `parent`), or at the end. Entries
  /// inserted at the same place keep the order of the calls. `name` is the key for a map.
  void insert(NodeId parent, NodeId before, std::string name, Tree tree);
  /// Sets, changes or (if empty) removes the comment on a node's line. kInvalid if more text
  /// follows on that line, or if the comment contains a line break.
  Result<Done> set_line_comment(NodeId node, std::string_view comment);

  /// The new text.
  std::string finish();

 private:
  struct Patch {
    std::size_t begin, end;
    std::string text;
    NodeId owner;  // at the same position, patches of inner collections come first
  };
  struct Insertion {
    NodeId before;
    std::string name;
    Tree tree;
  };
  struct Change {
    std::set<NodeId> removed;
    std::vector<Insertion> insertions;
  };

  void patch(std::size_t begin, std::size_t end, std::string text, NodeId owner);
  void replace_in_flow(NodeId node, const Tree& tree);
  void replace_in_block(NodeId node, const Tree& tree);
  void replace_on_own_lines(NodeId node, const Tree& tree);
  NodeId key_of(NodeId value) const;
  bool ends_in_name(NodeId id) const;
  void write(NodeId parent, const Change& change);
  void write_block(NodeId parent, const Change& change, const std::vector<NodeId>& entries);
  void write_flow(NodeId parent, const Change& change, const std::vector<NodeId>& entries);
  std::string blank_behind(std::size_t at) const;
  void append_flow(NodeId parent, NodeId last, bool last_stays, const std::string& text);
  std::string entry_text(NodeId parent, const Insertion& insertion, std::size_t at) const;
  std::string flow_entry(Kind kind, const std::string& name, std::string value) const;
  std::string entry_on_own_line(NodeId parent, const Insertion& insertion,
                                const std::string& margin) const;
  std::vector<NodeId> entries_of(NodeId parent) const;
  bool lines_would_join(std::size_t at, int column) const;
  std::size_t end_of_entries(NodeId parent) const;
  void keep_value_at_end();
  void keep_end_open(const Change& change, const std::vector<NodeId>& entries,
                     const std::map<std::size_t, std::size_t>& gone);
  const Layout& layout();
  char at(std::size_t offset) const {
    return offset < document_.text().size() ? document_.text()[offset] : '\0';
  }

  const Document& document_;
  const bool block_scalars_;
  std::optional<Layout> layout_;
  std::vector<NodeId> parents_;
  std::map<NodeId, Change> changes_;
  std::vector<Patch> patches_;
  bool text_follows_end_ = false;
  bool end_stays_open_ = false;
};

}  // namespace portico::yaml
