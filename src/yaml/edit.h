// Changes of a document as patches of its text: every byte that no change needs stays.
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

/// Collects changes of one document and hands back the new text. All node ids are those of that
/// document. A node may be replaced, or its entries changed, or it may be removed: one of these.
/// Comments of an entry go and stay with it (internal/extent.h says which are its own).
class Editor {
 public:
  /// The document must outlive the editor. Without `block_scalars` no text is written as a literal
  /// or folded scalar: lines that come to stand below one could be taken for its own.
  explicit Editor(const Document& document, bool block_scalars = true);

  /// Puts `tree` where `node` is, in the quoting style of the scalar that was there if it can be.
  void replace(NodeId node, const Tree& tree);
  /// Writes another key, in the quotes of the old one.
  void rename(NodeId key, const std::string& name);
  /// Removes an item of a list, or a member of a map by its key. A collection left without entries
  /// is written "{}" or "[]".
  void remove(NodeId parent, NodeId child);
  /// Puts a new entry in front of `before` (an item or key of `parent`), or at the end. Of several
  /// at one place the first comes first. `name` is the key for a map.
  void insert(NodeId parent, NodeId before, std::string name, Tree tree);
  /// Sets, changes or (empty) removes the comment on the line of a node. kInvalid where more text
  /// follows on that line, or the comment has a line break.
  Result<Done> set_line_comment(NodeId node, std::string_view comment);

  /// The new text.
  std::string finish();

 private:
  struct Patch {
    std::size_t begin, end;
    std::string text;
    NodeId owner;  // of patches at one place those of inner collections come first
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
