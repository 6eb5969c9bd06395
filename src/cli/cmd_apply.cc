#include <algorithm>
#include <optional>

#include "cli/commands.h"
#include "cli/kustomize.h"
#include "cli/plan_text.h"
#include "cli/pruning.h"
#include "engine/applying.h"
#include "engine/engine.h"
#include "resources/resources.h"

namespace portico::cli {

namespace {

Result<std::vector<engine::Wanted>> all_wanted(const ApplyOptions& options, Context& context) {
  if (options.files.empty() == options.kustomizations.empty())
    return invalid("say what to apply: -f FILE, or -k FOLDER with a kustomization");
  if (options.prune != !options.applyset.empty())
    return invalid(
        "--prune and --applyset NAME go together: what is pruned is what was applied "
        "under that name before");
  if (!options.files.empty()) return engine::wanted_objects(options.files, context);
  PORTICO_TRY(const auto manifests,
              read_kustomizations(options.kustomizations, context.globals.ns, context.deadline));
  return engine::wanted_of(manifests, context);
}

}  // namespace

Result<Exit> run_apply(const ApplyOptions& options, Context& context) {
  // All of it is checked before any of it is written.
  PORTICO_TRY(auto wanted, all_wanted(options, context));
  PORTICO_TRY(const auto engine,
              options.dry_run ? engine::Engine::read(context) : engine::Engine::open(context));
  const engine::Trial trial = options.dry_run ? engine::Trial::kYes : engine::Trial::kNo;
  registry::Registry& registry = engine->registry();
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
  // What could not be applied is no reason to take something else away.
  if (pruning && exit == 0) {
    PORTICO_TRY(const auto pruned, pruning->finish(registry));
    for (const json::Value& object : pruned)
      context.terminal.print("{} pruned{}\n", resources::name_line(object),
                             options.dry_run ? " (dry run)" : "");
  }
  if (options.dry_run) {
    context.terminal.hint(
        "what the controllers would make of it, and what would fail, says: "
        "portico plan");
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
