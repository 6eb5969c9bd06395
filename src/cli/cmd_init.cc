#include "cli/commands.h"
#include "engine/state.h"

namespace portico::cli {

Result<Exit> run_init(const InitOptions& options, Context& context) {
  PORTICO_TRY(const std::string folder, engine::make_state(options.dir));
  context.terminal.print("state folder {}\n", folder);
  context.terminal.hint("next: portico repo register URL, then portico apply -f FILE --wait");
  return 0;
}

}  // namespace portico::cli
