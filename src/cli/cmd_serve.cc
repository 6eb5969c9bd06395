#include <atomic>
#include <csignal>

#include "cli/commands.h"
#include "cli/engine.h"

#ifndef PORTICO_VERSION
#define PORTICO_VERSION "0.0.0"
#endif

namespace portico::cli {
namespace {

// A signal handler can reach nothing else.
std::atomic<bool> stop_asked{false};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void ask_to_stop(int) { stop_asked = true; }

}  // namespace

Result<Exit> run_serve(const ServeOptions& options, Context& context) {
  PORTICO_TRY(const auto engine, Engine::open(context));
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  context.terminal.print("serving {}; stop with Ctrl-C\n", engine->folder());
  context.terminal.flush();
  PORTICO_DO(engine->serve(stop_asked, std::chrono::seconds(options.resync_seconds)));
  context.terminal.print("stopped\n");
  return 0;
}

Result<Exit> run_version(Context& context) {
  context.terminal.print("portico {}\n", PORTICO_VERSION);
  return 0;
}

}  // namespace portico::cli
