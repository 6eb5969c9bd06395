#include "cli/conflicts.h"

#include "cli/terminal.h"
#include "json/text.h"

namespace portico::cli {
namespace {

/// One line, cut where it is long.
std::string shown(const std::optional<json::Value>& value) {
  if (!value) return "(none)";
  std::string text = json::print(*value);
  const bool plain =
      value->is_string() && !value->as_string().empty() && text.find('\\') == std::string::npos;
  if (plain) text = text.substr(1, text.size() - 2);
  constexpr std::size_t kMost = 32;
  if (text.size() <= kMost) return text;
  std::size_t cut = kMost - 3;
  while ((static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
  return text.substr(0, cut) + "...";
}

std::string object_text(const krm::ResourceId& id) {
  return id.ns.empty() ? id.kind + "/" + id.name : id.kind + "/" + id.ns + "/" + id.name;
}

}  // namespace

std::string conflict_table(const std::vector<merge::Conflict>& conflicts, bool settled) {
  if (conflicts.empty()) return "";
  std::vector<std::vector<std::string>> rows{
      {"CONFLICT", "OBJECT", "FIELD", "BASE", "HERE", "UPSTREAM", "TAKEN", "WHY"}};
  for (const merge::Conflict& conflict : conflicts)
    rows.push_back({conflict.file, conflict.object.kind.empty() ? "" : object_text(conflict.object),
                    conflict.field, shown(conflict.base), shown(conflict.ours),
                    shown(conflict.theirs),
                    !settled               ? "-"
                    : conflict.took_theirs ? "upstream"
                                           : "here",
                    conflict.rule});
  return table(rows);
}

}  // namespace portico::cli
