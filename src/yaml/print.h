// Fresh values as text, laid out as kyaml does (two blanks, compact lists) or as the text around
// them is.
#pragma once

#include <string>
#include <string_view>

#include "yaml/document.h"
#include "yaml/tree.h"

namespace portico::yaml {

struct Layout {
  int indent = 2;          // of a map in a map
  int list_indent = 0;     // of a list in a map: 0 compact, else wide
  bool has_lists = false;  // there are lists to go by; else a copied list stays as wide as it was
  std::string newline = "\n";
  bool block_scalars = true;  // false: where lines that follow would be taken for theirs
  bool json = false;          // every key and string in double quotes, JSON's escapes only
  bool operator==(const Layout&) const = default;
};

/// How a document is laid out: its first nested map, its first list in a map, its first line break;
/// JSON where the root is a flow collection whose first key or item is in double quotes.
Layout layout_of(const Document& document);

/// A string as scalar, in `wanted` style where that can hold it, else plain, 'single', a literal
/// (text of several lines in block context) or "double". A plain text that YAML 1.1 or 1.2 would
/// not read as a string is quoted. Block scalars: the header, then each line behind a break at
/// `column` blanks; `parent` is the column of the collection around it. No break at the end.
struct ScalarPlace {
  bool flow = false;
  bool key = false;
  int column = 2;
  int parent = 0;
};
std::string scalar_text(std::string_view text, Style wanted, const ScalarPlace& place,
                        const Layout& layout);
/// Of a key.
std::string key_source(std::string_view text, bool flow, const Layout& layout);

/// What stands behind "key:" or "-" of a collection at `column`: on the line (with its blank in
/// front), and the lines below (each with its break in front). `in_list` where a collection may
/// begin on the line. `style` is that of the scalar which the tree takes the place of.
struct ValueText {
  std::string line;
  std::string below;
};
ValueText value_text(const Tree& tree, int column, bool in_list, const Layout& layout,
                     Style style = Style::kPlain);

/// One entry, "name: value" or "- value", of a block collection at `column`, with the comments that
/// a copy brings. No blanks in front, no break at the end.
std::string member_text(const std::string& name, const Tree& tree, int column,
                        const Layout& layout);
std::string item_text(const Tree& tree, int column, const Layout& layout);

/// A collection that is not empty, its entries at `column`; no blanks in front, no break at the
/// end.
std::string block_text(const Tree& tree, int column, const Layout& layout);
/// On one line.
std::string flow_text(const Tree& tree, const Layout& layout, Style style = Style::kPlain);

/// JSON with a line for each entry: those of the tree stand one `unit` behind `margin`.
std::string json_lines(const Tree& tree, const std::string& margin, const std::string& unit,
                       const Layout& layout);

/// The tree as a whole document.
std::string print(const Tree& tree, const Layout& layout = {});

}  // namespace portico::yaml
