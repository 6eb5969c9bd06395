#include "cli/stop.h"

#include <csignal>

namespace portico::cli {
namespace {

// A signal handler can reach nothing else.
std::atomic<bool> asked{false};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> quit{false};   // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void ask_to_stop(int) { asked = true; }
extern "C" void ask_for_dump(int) { quit = true; }

}  // namespace

const std::atomic<bool>& stop_asked() {
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  return asked;
}

void listen_for_dump() { std::signal(SIGQUIT, ask_for_dump); }

bool dump_asked() { return quit.exchange(false); }

}  // namespace portico::cli
