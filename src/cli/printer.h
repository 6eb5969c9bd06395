// Prints objects in kubectl's formats.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "krm/meta.h"
#include "terminal/terminal.h"

namespace portico::cli {

/// Additional table columns that need more than the row's object.
struct MoreColumns {
  krm::GroupKind kind;
  std::vector<std::string> head;
  std::map<krm::ObjectKey, std::vector<std::string>> cells;
};

struct PrintOptions {
  std::string output;  // "", wide, yaml, json, name, or one of custom_output.h
  bool namespaces = false;
  bool no_headers = false;
  bool one = false;                   // a single object was requested by name: no List around it
  bool show_labels = false;           // add a column with the labels
  bool with_kind = false;             // prefix names with their kind
  const MoreColumns* more = nullptr;  // after the other columns of its kind
  /// CustomResourceDefinitions with the table columns of their kinds.
  std::vector<json::Value> definitions = {};
  /// Supplies the colors of table cells; null: none.
  const terminal::Terminal* terminal = nullptr;
};

/// The objects as text; tables are separate for each kind, in order of first appearance. Returns
/// kInvalid for an unknown output.
Result<std::string> print_objects(const std::vector<json::Value>& objects,
                                  const PrintOptions& options, std::string_view now);

/// "1 draft", "2 drafts": the plural adds an s.
std::string counted(std::size_t count, std::string_view one);

/// One object in kubectl's YAML: keys sorted.
std::string to_yaml(const json::Value& value);

}  // namespace portico::cli
