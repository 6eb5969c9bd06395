// Objects of one kind as rows of a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "krm/meta.h"

namespace portico::resources {

/// The names of a kind's columns in capitals, and the cells of one object under them. `wide` adds
/// columns and shows long cells whole; `now` (RFC 3339) is what ages are counted to.
std::vector<std::string> table_head(const krm::GroupKind& kind, bool wide);
std::vector<std::string> table_row(const json::Value& object, bool wide, std::string_view now);

/// "5m", "3h12m", "41d" between two RFC 3339 times; "" where one is none.
std::string age(std::string_view from, std::string_view to);

}  // namespace portico::resources
