#include "cli/commands.h"
#include "cli/plan_text.h"
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
        "PackageVariant \"{}\" leaves it so until its upstream moves on", back.variant));
  if (options.wait.wait) {
    context.terminal.flush();
    PORTICO_TRY(const controllers::Plan done, engine->settle(context.terminal));
    return print_done(context.terminal, done);
  }
  return 0;
}

}  // namespace portico::cli
