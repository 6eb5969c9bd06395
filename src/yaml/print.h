// Prints new values, laid out like kyaml (two blanks, compact lists) or like the surrounding text.
#pragma once

#include <string>
#include <string_view>

#include "yaml/document.h"
#include "yaml/tree.h"

namespace portico::yaml {

struct Layout {
  int indent = 2;          // of a nested map
  int list_indent = 0;     // of a list in a map: 0 compact, else wide
  bool has_lists = false;  // the layout was taken from lists; else a copied list keeps its own
  std::string newline = "\n";
  bool block_scalars = true;  // false if following lines would be read as part of the scalar
  bool json = false;          // all keys and strings in double quotes, only JSON's escapes
  bool operator==(const Layout&) const = default;
};

/// The layout of a document, taken from its first nested map, first list in a map and first line
/// break. JSON if the root is a flow collection whose first key or item is in double quotes.
Layout layout_of(const Document& document);

/// A string as a scalar, in `wanted` style if that can hold it, else plain, 'single', literal (text
/// of several lines in block context) or "double". A plain text that YAML 1.1 or 1.2 would not read
/// as a string is quoted. A block scalar is its header, then each line preceded by a line break and
/// indented to `column`; `parent` is the column of the surrounding collection. No line break at the
/// end.
struct ScalarPlace {
  bool flow = false;
  bool key = false;
  int column = 2;
  int parent = 0;
};
std::string scalar_text(std::string_view text, Style wanted, const ScalarPlace& place,
                        const Layout& layout);
/// The source of a key.
std::string key_source(std::string_view text, bool flow, const Layout& layout);

/// The text after the "key:" or "-" of a collection at `column`: the rest of the line (with a
/// leading blank), and the lines below (each with its line break in front). With `in_list`, a
/// collection may begin on the line. `style` is the style of the scalar that the tree replaces.
struct ValueText {
  std::string line;
  std::string below;
};
ValueText value_text(const Tree& tree, int column, bool in_list, const Layout& layout,
                     Style style = Style::kPlain);

/// One entry, "name: value" or "- value", of a block collection at `column`, with the comments of a
/// copied node. No leading blanks, no line break at the end.
std::string member_text(const std::string& name, const Tree& tree, int column,
                        const Layout& layout);
std::string item_text(const Tree& tree, int column, const Layout& layout);

/// A non-empty collection with its entries at `column`; no leading blanks, no line break at the
/// end.
std::string block_text(const Tree& tree, int column, const Layout& layout);
/// The tree on one line.
std::string flow_text(const Tree& tree, const Layout& layout, Style style = Style::kPlain);

/// JSON with one line per entry; the entries of the tree are indented by `margin` and one `unit`.
std::string json_lines(const Tree& tree, const std::string& margin, const std::string& unit,
                       const Layout& layout);

/// The tree as a whole document.
std::string print(const Tree& tree, const Layout& layout = {});

}  // namespace portico::yaml
