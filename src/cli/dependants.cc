#include "cli/dependants.h"

#include <algorithm>

#include "api/kinds.h"
#include "cli/printer.h"
#include "packages/lineage.h"
#include "resources/resources.h"

namespace portico::cli {

using json::Value;

Result<Dependants> dependants_of(const registry::Registry& registry,
                                 const krm::ObjectKey& repository,
                                 const std::set<krm::ObjectKey>& going) {
  Dependants out;
  out.repository = repository.name;
  for (const krm::GroupKind& type : {api::variant_set_kind(), api::variant_kind()}) {
    PORTICO_TRY(const registry::Listing all, registry.list({.type = type, .ns = repository.ns}));
    for (const Value& object : all.objects) {
      if (going.contains(krm::object_key(object))) continue;
      const auto add = [&](const char* side, const char* what) {
        const Value& package = object["spec"][side];
        if (package["repo"].as_string() == repository.name)
          out.lines.push_back(fmt::format("{}: its {} is {}/{}", resources::name_line(object), what,
                                          repository.name, package["package"].as_string()));
      };
      add("upstream", "upstream");
      if (type == api::variant_kind()) add("downstream", "package");
    }
  }
  PORTICO_TRY(const registry::Listing revisions,
              registry.list({.type = api::revision_kind(),
                             .ns = repository.ns,
                             .fields = {{packages::kByRepository, repository.name}}}));
  out.revisions = revisions.objects.size();
  return out;
}

void print_dependants(const Dependants& dependants, Terminal& out) {
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(dependants.lines.size(), kShown); ++i)
    out.print("  {}\n", dependants.lines[i]);
  if (dependants.lines.size() > kShown)
    out.print("  ... and {} more\n", dependants.lines.size() - kShown);
  if (dependants.revisions > 0)
    out.print("  {} of \"{}\" {} no longer listed; git keeps {}\n",
              counted(dependants.revisions, "package revision"), dependants.repository,
              dependants.revisions == 1 ? "is" : "are", dependants.revisions == 1 ? "it" : "them");
}

Error needs_force(const Dependants& dependants) {
  return invalid(
      "repository \"{}\" is in use: {}{}; delete or change the objects that use it first, see what "
      "would happen with --dry-run, or use --force",
      dependants.repository, dependants.lines.front(),
      dependants.lines.size() == 1 ? std::string()
                                   : fmt::format(" and {} more", dependants.lines.size() - 1));
}

}  // namespace portico::cli
