#include "cli/failing.h"

#include <algorithm>
#include <map>

#include "api/kinds.h"
#include "krm/meta.h"
#include "resources/resources.h"
#include "resources/state.h"

namespace portico::cli {

using json::Value;

Result<std::vector<Value>> failing_of(const registry::Registry& registry,
                                      const std::vector<Value>& objects) {
  std::map<krm::ObjectKey, Value> found;
  const auto look_at = [&](const Value& object) {
    if (resources::health_of(object) == api::Health::kFailing)
      found.emplace(krm::object_key(object), object);
  };
  for (const Value& object : objects) {
    const krm::GroupKind kind = krm::group_kind(object);
    if (kind.group != api::kConfigGroup) continue;
    const auto now = registry.get(krm::object_key(object));
    if (!now && now.error().code == Code::kNotFound) continue;
    if (!now) return now.error();
    look_at(*now);
    if (kind != api::variant_set_kind()) continue;
    PORTICO_TRY(const registry::Listing variants,
                registry.list({.type = api::variant_kind(),
                               .ns = std::string(krm::namespace_of(*now)),
                               .owner = std::string(krm::uid_of(*now))}));
    for (const Value& variant : variants.objects) look_at(variant);
  }
  std::vector<Value> out;
  for (auto& [key, object] : found) out.push_back(std::move(object));
  return out;
}

void print_failing(const std::vector<Value>& failing, Terminal& terminal) {
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(failing.size(), kShown); ++i)
    terminal.print("{} {}\n", terminal.paint(Colour::kRed, resources::name_line(failing[i])),
                   resources::state_of(failing[i]));
  if (failing.size() > kShown) terminal.print("... and {} more\n", failing.size() - kShown);
}

}  // namespace portico::cli
