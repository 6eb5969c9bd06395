// Objects of one kind as table rows.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/meta.h"

namespace portico::resources {

/// A column of a text table.
struct TableColumn {
  std::string name;  // in capitals
  int priority = 0;  // 0: always shown; otherwise only in wide output (-o wide)
  /// A single line. `wide`: long values are not shortened; ages are relative to `now` (RFC 3339).
  std::function<std::string(const json::Value& object, bool wide, std::string_view now)> cell;
};

/// The columns of one of Portico's kinds; Name and Age for other kinds.
std::vector<TableColumn> table_columns(const krm::GroupKind& kind);

/// The name, and the additionalPrinterColumns that a CustomResourceDefinition declares for this
/// version (for an unknown version: the stored one); if it declares none, Name and Age. A column
/// with an invalid path is omitted: a server does not accept such a definition.
std::vector<TableColumn> table_columns(const json::Value& definition, std::string_view version);

/// The column names, and the cells of one object.
std::vector<std::string> table_head(const std::vector<TableColumn>& columns, bool wide);
std::vector<std::string> table_row(const std::vector<TableColumn>& columns,
                                   const json::Value& object, bool wide, std::string_view now);

/// "5m", "3h12m", "41d" between two RFC 3339 times; "" if one cannot be parsed.
std::string age(std::string_view from, std::string_view to);

}  // namespace portico::resources
