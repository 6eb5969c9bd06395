#include "cli/conflicts.h"

#include "cli/context.h"

namespace portico::cli {
namespace {

const std::vector<std::string> kHead = {"CONFLICT", "OBJECT",   "FIELD", "BASE",
                                        "HERE",     "UPSTREAM", "TAKEN", "WHY"};

/// A JSON value for display: simple texts without quotes, long ones cut.
std::string shown(std::string text) {
  if (text.empty()) return "(none)";
  const bool simple = text.size() > 2 && text.front() == '"' && text.back() == '"' &&
                      text.find('\\') == std::string::npos;
  if (simple) text = text.substr(1, text.size() - 2);
  constexpr std::size_t kMost = 32;
  if (text.size() <= kMost) return text;
  std::size_t cut = kMost - 3;
  while ((static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
  return text.substr(0, cut) + "...";
}

std::string shown(const std::optional<json::Value>& value) {
  constexpr std::size_t kMost = 80;
  return shown(merge::value_text(value, kMost));
}

}  // namespace

std::string conflict_table(const std::vector<merge::Conflict>& conflicts, bool settled) {
  if (conflicts.empty()) return "";
  std::vector<std::vector<std::string>> rows{kHead};
  for (const merge::Conflict& conflict : conflicts)
    rows.push_back({conflict.file, merge::object_text(conflict.object), conflict.field,
                    shown(conflict.base), shown(conflict.ours), shown(conflict.theirs),
                    !settled               ? "-"
                    : conflict.took_theirs ? "upstream"
                                           : "here",
                    conflict.rule});
  return terminal::table(rows);
}

std::string conflict_table(const json::Value& status) {
  if (status.empty()) return "";
  std::vector<std::vector<std::string>> rows{kHead};
  const auto text = [](const json::Value& conflict, const char* field) {
    return std::string(conflict[field].as_string());
  };
  for (const json::Value& conflict : status.items())
    rows.push_back({text(conflict, "path"), text(conflict, "object"), text(conflict, "field"),
                    shown(text(conflict, "base")), shown(text(conflict, "ours")),
                    shown(text(conflict, "theirs")),
                    text(conflict, "taken") == "theirs" ? "upstream" : "here",
                    text(conflict, "rule")});
  return terminal::table(rows);
}

}  // namespace portico::cli
