#include "api/kinds.h"
#include "cli/commands.h"
#include "cli/conflicts.h"
#include "cli/pristine.h"
#include "cli/revisions.h"
#include "engine/engine.h"
#include "krm/diff.h"
#include "packages/base.h"
#include "packages/lineage.h"

namespace portico::cli {

using json::Value;

namespace {

/// The conflicts of the upgrade that made the revision: from the status of its variant if that
/// describes it, otherwise from repeating the upgrade; "" if there are none.
std::string conflicts_of(engine::Engine& engine, const Value& object) {
  for (const Value& owner : object["metadata"]["ownerReferences"].items()) {
    if (owner["kind"].as_string() != api::kVariantKind) continue;
    const auto variant =
        engine.registry().get({api::variant_kind(), std::string(krm::namespace_of(object)),
                               std::string(owner["name"].as_string())});
    if (!variant) continue;
    for (const Value& target : (*variant)["status"]["downstreamTargets"].items())
      if (target["name"].as_string() == krm::name_of(object))
        return conflict_table((*variant)["status"]["mergeConflicts"]);
    return "";
  }
  const Value& tasks = object["spec"]["tasks"];
  const Value& upgrade = tasks.empty() ? tasks : tasks[tasks.size() - 1]["upgrade"];
  if (!upgrade.is_object()) return "";
  const auto name = [&upgrade](const char* field) {
    return std::string(upgrade[field]["name"].as_string());
  };
  drafts::DraftRequest request;
  request.ns = krm::namespace_of(object);
  request.repository = object["spec"]["repository"].as_string();
  request.package = object["spec"]["packageName"].as_string();
  request.strategy = upgrade["strategy"].as_string();
  request.source = drafts::UpgradeSource{name("oldUpstreamRef"), name("newUpstreamRef"),
                                         name("localPackageRevisionRef")};
  request.render = false;
  const auto built = engine.drafts().build(request);
  return built ? conflict_table(built->conflicts, false) : "";
}

}  // namespace

namespace {

// The other side of a comparison.
struct Other {
  std::string title = "nothing";
  std::shared_ptr<const krm::Package> content = std::make_shared<krm::Package>();
};

Result<Other> content_of(engine::Engine& engine, const Value& revision) {
  if (revision.is_null()) return Other();
  PORTICO_TRY(auto content, engine.packages().read(revision));
  return Other{std::string(krm::name_of(revision)), std::move(content)};
}

Result<Other> started_from(engine::Engine& engine, const Value& object) {
  const Value& base = object["status"]["base"];
  if (!base.is_object())
    return not_found("{} has no base: it is {}, or has no history in common with the branch",
                     krm::name_of(object), object["spec"]["lifecycle"].as_string());
  if (base["tree"].as_string().empty()) return Other();
  const std::string commit(base["commit"].as_string());
  PORTICO_TRY(auto content, engine.packages().read_at(
                                std::string(krm::namespace_of(object)),
                                std::string(object["spec"]["repository"].as_string()),
                                std::string(object["spec"]["packageName"].as_string()), commit));
  return Other{"base (commit " + commit.substr(0, 8) + ")", std::move(content)};
}

Result<Other> other_of(engine::Engine& engine, const Value& object, const std::string& word) {
  const registry::Registry& registry = engine.registry();
  if (word == "pristine") {
    PORTICO_TRY(PristineContent pristine, pristine_of(engine, object));
    return Other{"pristine (" + pristine.what + ")", std::move(pristine.content)};
  }
  if (word == "base") return started_from(engine, object);
  Value other;
  if (word.empty()) {
    PORTICO_TRY(other, packages::predecessor(registry, object));
  } else if (word == "upstream") {
    PORTICO_TRY(other, packages::upstream_of(registry, object));
  } else if (word == "published") {
    PORTICO_TRY(const auto siblings, siblings_of(registry, object));
    other = packages::latest_published(siblings);
  } else {
    PORTICO_TRY(other,
                registry.get({api::revision_kind(), std::string(krm::namespace_of(object)), word}));
  }
  return content_of(engine, other);
}

}  // namespace

Result<Exit> run_rpkg_diff(const RpkgDiffOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::read(context));
  PORTICO_TRY(const Value object,
              engine->registry().get({api::revision_kind(), context.globals.ns, options.name}));
  PORTICO_TRY(const Other before, other_of(*engine, object, options.other));
  PORTICO_TRY(const auto after, engine->packages().read(object));
  const std::string diff = krm::diff_packages(*before.content, *after);
  context.terminal.hint(fmt::format("{} -> {}", before.title, options.name));
  if (options.stat) {
    context.terminal.write(krm::diff_stat(diff));
    return 0;
  }
  if (diff.empty()) context.terminal.print("no differences from {}\n", before.title);
  context.terminal.write(terminal::paint_diff(context.terminal, diff));
  if (const std::string conflicts = conflicts_of(*engine, object); !conflicts.empty())
    context.terminal.print("\n{}", conflicts);
  return 0;
}

}  // namespace portico::cli
