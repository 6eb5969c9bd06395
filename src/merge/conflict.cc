#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "json/text.h"
#include "merge/tree.h"

namespace portico::merge {
namespace {

std::string shown(const std::optional<json::Value>& value) {
  constexpr std::size_t kLongest = 80;
  return value ? value_text(value, kLongest) : "nothing";
}

}  // namespace

std::string value_text(const std::optional<json::Value>& value, std::size_t longest) {
  if (!value) return "";
  std::string text = json::print(*value);
  if (text.size() <= longest) return text;
  std::size_t cut = longest;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
  return text.substr(0, cut) + "...";
}

std::string object_text(const krm::ResourceId& id) {
  if (id.kind.empty()) return "";
  const std::string kind = id.group.empty() ? id.kind : id.kind + "." + id.group;
  return kind + " " + (id.ns.empty() ? id.name : id.ns + "/" + id.name);
}

std::string conflict_text(const Conflict& conflict) {
  std::string place = conflict.file;
  const auto add = [&place](const std::string& part) {
    if (part.empty()) return;
    if (!place.empty()) place += ": ";
    place += part;
  };
  add(object_text(conflict.object));
  add(conflict.field);
  if (conflict.ours || conflict.theirs)
    add(fmt::format("{} here, {} upstream", shown(conflict.ours), shown(conflict.theirs)));
  return fmt::format("{}: {}, kept {}", place, conflict.rule,
                     conflict.took_theirs ? "upstream" : "local");
}

Result<Done> refuse(const std::vector<Conflict>& conflicts) {
  constexpr std::size_t kNamed = 3;
  if (conflicts.empty()) return Done{};
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, conflicts.size()); ++i) {
    if (i > 0) text += "; ";
    const std::string one = conflict_text(conflicts[i]);
    text += one.substr(0, one.rfind(", kept "));
  }
  if (conflicts.size() > kNamed) text += fmt::format("; and {} more", conflicts.size() - kNamed);
  return invalid("{} {} between the local package and upstream: {}", conflicts.size(),
                 conflicts.size() == 1 ? "conflict" : "conflicts", text);
}

}  // namespace portico::merge
