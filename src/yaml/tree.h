// Content to write into a document: new values, and copies of nodes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "yaml/document.h"

namespace portico::yaml {

/// A value. Map members and list items are printed in the given order. A tree with a `document` is
/// a copy of its node `node`, with comments and layout. `entry` in `parent` (the key, or the item
/// itself) says which entry the node was, so that the entry's comments are copied as well. The
/// document must outlive the tree.
struct Tree {
  Kind kind = Kind::kScalar;
  bool is_string = false;  // for a scalar: `text` is a string value, else YAML source
  std::string text = "null";
  std::vector<std::string> names;  // of the items of a map
  std::vector<Tree> items;
  const Document* document = nullptr;
  NodeId node = kNoNode;
  NodeId parent = kNoNode;
  NodeId entry = kNoNode;

  static Tree plain(std::string source) {
    Tree out;
    out.text = std::move(source);
    return out;
  }
  static Tree string(std::string value) {
    Tree out = plain(std::move(value));
    out.is_string = true;
    return out;
  }
  static Tree map() { return of(Kind::kMap); }
  static Tree list() { return of(Kind::kSeq); }
  static Tree copy(const Document& source, NodeId id, NodeId parent, NodeId entry) {
    Tree out;
    out.document = &source;
    out.node = id;
    out.parent = parent;
    out.entry = entry;
    return out;
  }

  void add(std::string name, Tree value) {
    names.push_back(std::move(name));
    items.push_back(std::move(value));
  }

  bool is_empty_collection() const {
    return document == nullptr && kind != Kind::kScalar && items.empty();
  }

 private:
  static Tree of(Kind kind) {
    Tree out;
    out.kind = kind;
    return out;
  }
};

/// Converts the node to new values, without comments and with aliases expanded.
Tree tree_of(const Document& document, NodeId id);

}  // namespace portico::yaml
