// Objects as kubectl prints them.
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

/// Columns that a table gets from more than the object of its row.
struct MoreColumns {
  krm::GroupKind kind;
  std::vector<std::string> head;
  std::map<krm::ObjectKey, std::vector<std::string>> cells;
};

struct PrintOptions {
  std::string output;  // "", wide, yaml, json, name, or one of custom_output.h
  bool namespaces = false;
  bool no_headers = false;
  bool one = false;                   // one object was asked for by name: no List around it
  bool show_labels = false;           // a column of them
  bool with_kind = false;             // names are told with their kind
  const MoreColumns* more = nullptr;  // behind the others of its kind
  /// CustomResourceDefinitions, whose columns the tables of their kinds have.
  std::vector<json::Value> definitions = {};
  /// Whose colours the cells of tables get; null: none.
  const terminal::Terminal* terminal = nullptr;
};

/// The objects as text; where it is a table, one for each kind, in the order of the kinds' first
/// objects. kInvalid for an output that does not exist.
Result<std::string> print_objects(const std::vector<json::Value>& objects,
                                  const PrintOptions& options, std::string_view now);

/// "1 draft", "2 drafts": the plural adds an s.
std::string counted(std::size_t count, std::string_view one);

/// One object in kubectl's YAML: keys sorted.
std::string to_yaml(const json::Value& value);

}  // namespace portico::cli
