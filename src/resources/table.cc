#include "resources/table.h"

#include <algorithm>
#include <chrono>

#include "base/time.h"
#include "jsonpath/path.h"
#include "resources/resources.h"

namespace portico::resources {

using json::Value;

namespace {

bool shown(const TableColumn& column, bool wide) { return wide || column.priority == 0; }

std::string cut(std::string text, std::size_t most) {
  if (most == 0 || text.size() <= most) return text;
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

// A row is one line, whatever the object contains.
std::string one_line(std::string text) {
  const std::size_t end = text.find_first_of("\f\n\r");
  if (end != std::string::npos) text.replace(end, std::string::npos, "...");
  return text;
}

std::string text_of(std::string_view type, const Value& cell, std::string_view now) {
  if (type == "date") return age(cell.as_string(), now);
  return cell.is_null() ? std::string() : one_line(jsonpath::text_of(cell));
}

// The cell that a server makes of a path's results: the first value, if it has the column's type.
std::string found_text(const std::vector<Value>& found, std::string_view type,
                       std::string_view now) {
  if (found.empty()) return "";
  const Value& first = found.front();
  if (type == "boolean" && !first.is_bool()) return "";
  if ((type == "integer" || type == "number") && !first.is_number()) return "";
  if (type == "integer") return std::to_string(first.as_int());
  return text_of(type, first, now);
}

const Value& version_of(const Value& definition, std::string_view version) {
  const Value& all = definition["spec"]["versions"];
  const Value* out = all.size() == 0 ? &all : &all[std::size_t{0}];
  for (const Value& each : all.items()) {
    if (each["name"].as_string() == version) return each;
    if (each["storage"].as_bool()) out = &each;
  }
  return *out;
}

}  // namespace

std::vector<TableColumn> table_columns(const krm::GroupKind& kind) {
  std::vector<TableColumn> out;
  for (const Column& column : columns_of(kind))
    out.push_back({upper(column.name), column.priority,
                   [column](const Value& object, bool wide, std::string_view now) {
                     return cut(text_of(column.type, column.cell(object), now),
                                wide ? 0 : column.narrow);
                   }});
  return out;
}

std::vector<TableColumn> table_columns(const Value& definition, std::string_view version) {
  const Value& declared = version_of(definition, version)["additionalPrinterColumns"];
  std::vector<TableColumn> out = table_columns(krm::GroupKind{});
  if (declared.empty()) return out;
  out.resize(1);  // keep only the name
  for (const Value& each : declared.items()) {
    auto path = jsonpath::Path::parse(each["jsonPath"].as_string());
    if (!path) continue;
    out.push_back({upper(each["name"].as_string()), static_cast<int>(each["priority"].as_int()),
                   [path = *std::move(path), type = std::string(each["type"].as_string())](
                       const Value& object, bool, std::string_view now) {
                     return found_text(path.evaluate(object, 2), type, now);
                   }});
  }
  return out;
}

std::vector<std::string> table_head(const std::vector<TableColumn>& columns, bool wide) {
  std::vector<std::string> head;
  for (const TableColumn& column : columns)
    if (shown(column, wide)) head.push_back(column.name);
  return head;
}

std::vector<std::string> table_row(const std::vector<TableColumn>& columns, const Value& object,
                                   bool wide, std::string_view now) {
  std::vector<std::string> row;
  for (const TableColumn& column : columns)
    if (shown(column, wide)) row.push_back(column.cell(object, wide, now));
  return row;
}

std::string age(std::string_view from, std::string_view to) {
  const auto start = parse_rfc3339(from), end = parse_rfc3339(to);
  if (!start || !end) return "";
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*end - *start).count();
  if (seconds < 120) return fmt::format("{}s", std::max<std::int64_t>(seconds, 0));
  if (seconds < 2 * 3600) return fmt::format("{}m", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{}h{}m", seconds / 3600, seconds % 3600 / 60);
  return fmt::format("{}d", seconds / 86400);
}

}  // namespace portico::resources
