#include <algorithm>
#include <optional>

#include "cli/commands.h"
#include "cli/kustomize.h"
#include "cli/plan_text.h"
#include "cli/pruning.h"
#include "cli/undefined_kinds.h"
#include "engine/applying.h"
#include "engine/engine.h"
#include "resources/resources.h"

namespace portico::cli {

namespace {

// Applies -l to all objects in the files; each has been read and checked.
Result<std::vector<engine::Wanted>> selected(std::vector<engine::Wanted> all,
                                             const std::string& selector) {
  if (selector.empty()) return all;
  PORTICO_TRY(const auto labels, krm::LabelSelector::parse(selector), "-l");
  std::erase_if(all, [&](const engine::Wanted& one) { return !labels.matches_object(one.object); });
  if (all.empty()) return invalid("-l: no objects match the selector \"{}\"", selector);
  return all;
}

Result<std::vector<engine::Wanted>> all_wanted(const ApplyOptions& options, Context& context) {
  if (options.files.empty() == options.kustomizations.empty())
    return invalid("must specify one of -f FILE, or -k FOLDER with a kustomization");
  if (options.prune != !options.applyset.empty())
    return invalid(
        "--prune and --applyset NAME must be used together: --prune deletes objects that were "
        "applied earlier under that name");
  if (options.prune && !options.selector.empty())
    return invalid(
        "--prune cannot be combined with -l: it would delete the objects that were not selected");
  if (!options.files.empty()) return engine::wanted_objects(options.files, context);
  PORTICO_TRY(const auto manifests,
              read_kustomizations(options.kustomizations, context.globals.ns, context.deadline));
  return engine::wanted_of(manifests, context);
}

// Kinds that a server would reject: defines them if requested, otherwise warns. A server reports
// them itself.
Result<Done> define_or_warn(engine::Engine& engine, const std::vector<engine::Wanted>& wanted,
                            const ApplyOptions& options, Terminal& terminal) {
  if (engine.is_served() && !options.define) return Done{};
  std::vector<json::Value> objects;
  for (const engine::Wanted& each : wanted) objects.push_back(each.object);
  PORTICO_TRY(const auto kinds, undefined_kinds(engine.registry(), objects));
  for (const auto& [kind, version] : kinds) {
    if (!options.define) {
      terminal.warning(
          fmt::format("no CustomResourceDefinition for {}.{}: `portico serve` will not serve its "
                      "objects or accept new ones; apply one, or create one with --define",
                      resources::plural(kind), kind.group));
      continue;
    }
    const json::Value definition = resources::open_definition(kind, version);
    if (!options.dry_run)
      PORTICO_DO(engine.registry().commit({{registry::Verb::kCreate, definition}}));
    terminal.print("{} created{}\n", resources::name_line(definition),
                   options.dry_run ? " (dry run)" : "");
  }
  return Done{};
}

}  // namespace

Result<Exit> run_apply(const ApplyOptions& options, Context& context) {
  // Everything is checked before anything is written.
  PORTICO_TRY(auto wanted, all_wanted(options, context));
  PORTICO_TRY(wanted, selected(std::move(wanted), options.selector));
  PORTICO_TRY(const auto engine,
              options.dry_run ? engine::Engine::read(context) : engine::Engine::open(context));
  const engine::Trial trial = options.dry_run ? engine::Trial::kYes : engine::Trial::kNo;
  registry::Registry& registry = engine->registry();
  PORTICO_DO(define_or_warn(*engine, wanted, options, context.terminal));
  std::optional<Pruning> pruning;
  if (options.prune) {
    PORTICO_TRY(pruning,
                Pruning::begin(registry, options.applyset, context.globals.ns, wanted, trial));
  }
  PORTICO_TRY(const auto applied,
              engine::apply_objects(registry, wanted, options.confirm_deletions, trial));
  Exit exit = 0;
  for (std::size_t i = 0; i < applied.size(); ++i) {
    if (!applied[i].now) {
      context.terminal.error(Error(applied[i].now.error()).in(wanted[i].source).text());
      exit = 1;
      continue;
    }
    context.terminal.print("{} {}{}\n", resources::name_line(*applied[i].now), applied[i].verb(),
                           options.dry_run ? " (dry run)" : "");
  }
  // Do not prune after a failed apply.
  if (pruning && exit == 0) {
    PORTICO_TRY(const auto pruned, pruning->finish(registry));
    for (const json::Value& object : pruned)
      context.terminal.print("{} pruned{}\n", resources::name_line(object),
                             options.dry_run ? " (dry run)" : "");
  }
  if (options.dry_run) {
    context.terminal.hint(
        "see what the controllers would do, and what would fail, with: portico plan");
    return exit;
  }
  if (options.wait.wait) {
    context.terminal.flush();
    PORTICO_TRY(const controllers::Plan done,
                engine->settle(context.terminal, engine::keys_of(wanted)));
    exit = std::max(exit, print_done(context.terminal, done));
    if (done.failed()) exit = 1;
  } else {
    context.terminal.hint(engine->is_served()
                              ? "the server reconciles it: wait for it with --wait"
                              : "nothing is reconciled yet: add --wait, or run portico serve");
  }
  return exit;
}

}  // namespace portico::cli
