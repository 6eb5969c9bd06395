#include "resources/table.h"

#include <algorithm>
#include <chrono>

#include "base/time.h"
#include "resources/resources.h"

namespace portico::resources {

using json::Value;

namespace {

bool shown(const Column& column, bool wide) { return wide || column.priority == 0; }

std::string cut(std::string text, std::size_t most) {
  if (most == 0 || text.size() <= most) return text;
  std::size_t end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "...";
}

std::string text_of(const Column& column, const Value& cell, std::string_view now) {
  if (column.type == "date") return age(cell.as_string(), now);
  if (cell.is_int()) return std::to_string(cell.as_int());
  if (cell.is_bool()) return cell.as_bool() ? "true" : "false";
  return std::string(cell.as_string());
}

}  // namespace

std::vector<std::string> table_head(const krm::GroupKind& kind, bool wide) {
  std::vector<std::string> head;
  for (const Column& column : columns_of(kind)) {
    if (!shown(column, wide)) continue;
    std::string& name = head.emplace_back(column.name);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  }
  return head;
}

std::vector<std::string> table_row(const Value& object, bool wide, std::string_view now) {
  std::vector<std::string> row;
  for (const Column& column : columns_of(krm::group_kind(object)))
    if (shown(column, wide))
      row.push_back(cut(text_of(column, column.cell(object), now), wide ? 0 : column.narrow));
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
