#include "cli/conflicts.h"

#include "cli/terminal.h"
#include "json/text.h"

namespace portico::cli {
namespace {

std::string shown(const std::optional<json::Value>& value) {
  if (!value) return "(none)";
  std::string text = value->is_string() ? std::string(value->as_string()) : json::print(*value);
  constexpr std::size_t kMost = 40;
  if (text.size() > kMost) text = text.substr(0, kMost - 3) + "...";
  return text;
}

}  // namespace

std::string conflict_table(const std::vector<merge::Conflict>& conflicts) {
  if (conflicts.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"CONFLICT", "FIELD", "HERE", "UPSTREAM", "TAKEN"}};
  for (const merge::Conflict& conflict : conflicts)
    rows.push_back({conflict.file, conflict.field, shown(conflict.ours), shown(conflict.theirs),
                    conflict.took_theirs ? "upstream" : "here"});
  return table(rows);
}

}  // namespace portico::cli
