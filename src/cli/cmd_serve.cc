#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/stop.h"

#ifndef PORTICO_VERSION
#define PORTICO_VERSION "0.0.0"
#endif

namespace portico::cli {
Result<Exit> run_serve(const ServeOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, Engine::open(context));
  const std::atomic<bool>& stop = stop_asked();
  context.terminal.print("serving {}; stop with Ctrl-C\n", engine->folder());
  context.terminal.flush();
  PORTICO_DO(engine->serve(stop, std::chrono::seconds(options.resync_seconds)));
  context.terminal.print("stopped\n");
  return 0;
}

Result<Exit> run_version(Context& context) {
  context.terminal.print("portico {}\n", PORTICO_VERSION);
  return 0;
}

}  // namespace portico::cli
