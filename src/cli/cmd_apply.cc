#include <algorithm>

#include "cli/applying.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/plan_text.h"
#include "resources/resources.h"

namespace portico::cli {

Result<Exit> run_apply(const ApplyOptions& options, Context& context) {
  // All of it is checked before any of it is written.
  PORTICO_TRY(const auto wanted, wanted_objects(options.files, context));
  PORTICO_TRY(const auto engine, options.dry_run ? Engine::read(context) : Engine::open(context));
  PORTICO_TRY(const auto applied,
              apply_objects(engine->registry(), wanted, options.confirm_deletions,
                            options.dry_run ? Trial::kYes : Trial::kNo));
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
  if (options.dry_run) {
    context.terminal.hint(
        "what the controllers would make of it, and what would fail, says: "
        "portico plan");
    return exit;
  }
  if (options.wait.wait) {
    context.terminal.flush();
    PORTICO_TRY(const controllers::Plan done, engine->settle(context.terminal, keys_of(wanted)));
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
