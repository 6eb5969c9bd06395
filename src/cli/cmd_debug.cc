#include "cli/debug_commands.h"
#include "engine/remote_engine.h"

namespace portico::cli {

Result<Exit> run_debug_dump(const DebugDumpOptions&, Context& context) {
  PORTICO_TRY(const std::string text, engine::dump_of_server(context));
  context.terminal.write(text);
  return 0;
}

}  // namespace portico::cli
