// `rpkg upgrade`: drafts an upgrade to a newer upstream, or lists possible upgrades.
#include <algorithm>
#include <map>

#include "api/kinds.h"
#include "cli/commands.h"
#include "cli/conflicts.h"
#include "cli/upstream_index.h"
#include "controllers/upgrade.h"
#include "engine/engine.h"
#include "merge/on_conflict.h"
#include "packages/lineage.h"

namespace portico::cli {

using drafts::DraftRequest;
using engine::current_actor;
using engine::Engine;
using json::Value;

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string version(const Value& revision) {
  const std::int64_t number = revision["spec"]["revision"].as_int();
  return number > 0 ? fmt::format("v{}", number)
                    : std::string(revision["spec"]["workspaceName"].as_string());
}

// The newer upstream revisions of each revision.
Rows upstream_rows(const UpstreamIndex& index, const std::vector<const Value*>& asked) {
  Rows rows{{"PACKAGE REVISION", "UPSTREAM REPOSITORY", "UPSTREAM UPDATES"}};
  for (const Value* each : asked) {
    const Value* upstream = index.upstream_of(*each);
    std::string updates;
    if (upstream != nullptr)
      for (const Value* newer : index.newer(*upstream))
        updates += (updates.empty() ? "" : ", ") + version(*newer);
    rows.push_back(
        {std::string(krm::name_of(*each)),
         upstream == nullptr ? "" : std::string((*upstream)["spec"]["repository"].as_string()),
         updates.empty() ? "No update available" : updates});
  }
  return rows;
}

// The revisions that were made from an older revision of the same package and can be upgraded.
Rows downstream_rows(const UpstreamIndex& index, const std::vector<const Value*>& asked) {
  std::map<std::string_view, std::vector<std::pair<const Value*, const Value*>>> by_newest;
  for (const Value& each : index.revisions()) {
    const Value* from = index.upstream_of(each);
    if (from == nullptr) continue;
    for (const Value* newer : index.newer(*from))
      by_newest[krm::name_of(*newer)].emplace_back(&each, from);
  }
  Rows rows{{"PACKAGE REVISION", "DOWNSTREAM PACKAGE", "DOWNSTREAM UPDATE"}};
  for (const Value* each : asked)
    for (const auto& [downstream, from] : by_newest[krm::name_of(*each)])
      rows.push_back({std::string(krm::name_of(*each)), std::string(krm::name_of(*downstream)),
                      version(*from) + "->" + version(*each)});
  return rows;
}

Result<Exit> discover(const RpkgUpgradeOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, Engine::read(context));
  PORTICO_TRY(registry::Listing all,
              engine->registry().list({.type = api::revision_kind(), .ns = context.globals.ns}));
  const UpstreamIndex index(std::move(all.objects));
  std::vector<const Value*> asked;
  for (const Value& each : index.revisions())
    if (options.names.empty()) asked.push_back(&each);
  for (const std::string& name : options.names) {
    const auto& revisions = index.revisions();
    const auto at = std::find_if(revisions.begin(), revisions.end(),
                                 [&](const Value& each) { return krm::name_of(each) == name; });
    if (at == revisions.end())
      return not_found("package revision \"{}\" not found in namespace \"{}\"", name,
                       context.globals.ns);
    asked.push_back(&*at);
  }
  const Rows rows =
      options.discover == "upstream" ? upstream_rows(index, asked) : downstream_rows(index, asked);
  if (rows.size() == 1)
    context.terminal.print("{}\n", options.discover == "upstream"
                                       ? "There are no package revisions."
                                       : "All downstream packages are up to date.");
  else
    context.terminal.write(terminal::table(rows));
  return 0;
}

}  // namespace

Result<Exit> run_rpkg_upgrade(const RpkgUpgradeOptions& options, Context& context) {
  if (!options.discover.empty()) {
    if (!options.workspace.empty() || options.revision != 0 || !options.strategy.empty() ||
        !options.on_conflict.empty())
      return invalid("--discover only lists upgrades: it can be combined with names only");
    return discover(options, context);
  }
  if (options.names.size() != 1)
    return invalid(
        "must specify one package revision to upgrade, or list upgrades with --discover");
  if (options.workspace.empty())
    return invalid("must specify the workspace of the draft with --workspace");
  const std::string& source = options.names[0];
  PORTICO_TRY(const auto engine, Engine::open(context));
  PORTICO_TRY(const Value local,
              engine->registry().get({api::revision_kind(), context.globals.ns, source}));
  PORTICO_TRY(const Value upstream,
              packages::newer_upstream(engine->registry(), local, options.revision));
  controllers::UpgradeWish wish{options.workspace, options.strategy};
  if (!options.on_conflict.empty()) {
    PORTICO_TRY(wish.on_conflict, merge::parse_on_conflict(options.on_conflict));
  }
  PORTICO_TRY(const DraftRequest request,
              controllers::upgrade(engine->registry(), local, upstream, wish, current_actor()));
  PORTICO_TRY(const drafts::Drafted drafted, engine->drafts().draft(request));
  context.terminal.print("{} upgraded to {}\n", source, krm::name_of(drafted.object));
  if (!drafted.built.conflicts.empty())
    context.terminal.write(conflict_table(drafted.built.conflicts));
  return 0;
}

}  // namespace portico::cli
