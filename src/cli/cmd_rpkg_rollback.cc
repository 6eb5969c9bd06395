#include "cli/changing.h"
#include "cli/commands.h"
#include "controllers/rollback.h"
#include "engine/engine.h"

namespace portico::cli {

Result<Exit> run_rpkg_rollback(const RpkgRollbackOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, engine::Engine::open(context));
  PORTICO_TRY(const controllers::Rollback back,
              controllers::rollback(engine->registry(), context.globals.ns, options.name,
                                    options.to, options.workspace, engine::current_actor()));
  PORTICO_TRY(const drafts::Drafted drafted, engine->drafts().draft(back.request));
  context.terminal.print("{} created with the content of {}\n", krm::name_of(drafted.object),
                         back.to);
  if (!back.variant.empty())
    context.terminal.hint(fmt::format(
        "PackageVariant \"{}\" keeps this content until its upstream changes", back.variant));
  return reconcile_if_asked(*engine, options.wait, keys_of({drafted.object}), 0, context);
}

}  // namespace portico::cli
