// Objects of one kind as rows of a table.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/meta.h"

namespace portico::resources {

/// A column of a table of texts.
struct TableColumn {
  std::string name;  // in capitals
  int priority = 0;  // 0: always shown; else only where more is asked for (-o wide)
  /// One line. `wide` shows what is long whole; `now` (RFC 3339) is what ages are counted to.
  std::function<std::string(const json::Value& object, bool wide, std::string_view now)> cell;
};

/// Of a kind that Portico knows; of any other Name and Age.
std::vector<TableColumn> table_columns(const krm::GroupKind& kind);

/// As a CustomResourceDefinition has them for objects of this version (of one that it does not
/// have: the one that is stored): additionalPrinterColumns behind the name; without those Name and
/// Age. A column whose path cannot be read is left out: a server takes no such definition.
std::vector<TableColumn> table_columns(const json::Value& definition, std::string_view version);

/// The names of the columns, and the cells of one object under them.
std::vector<std::string> table_head(const std::vector<TableColumn>& columns, bool wide);
std::vector<std::string> table_row(const std::vector<TableColumn>& columns,
                                   const json::Value& object, bool wide, std::string_view now);

/// "5m", "3h12m", "41d" between two RFC 3339 times; "" where one is none.
std::string age(std::string_view from, std::string_view to);

}  // namespace portico::resources
