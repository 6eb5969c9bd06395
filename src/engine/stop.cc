#include "engine/stop.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

namespace portico::engine {
namespace {

// A signal handler can reach nothing else.
std::atomic<bool> asked{false};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> quit{false};   // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> came{-1};       // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void wake() {
  const int number = errno;
  const std::uint64_t one = 1;
  static_cast<void>(::write(came, &one, sizeof one) == 0);
  errno = number;
}

extern "C" void ask_to_stop(int signal) {
  asked = true;
  std::signal(signal, SIG_DFL);
  wake();
}
extern "C" void ask_for_dump(int) {
  quit = true;
  wake();
}

void listen() {
  if (came < 0) came = ::eventfd(0, EFD_CLOEXEC);
}

}  // namespace

const std::atomic<bool>& stop_asked() {
  listen();
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  return asked;
}

void listen_for_dump() {
  listen();
  std::signal(SIGQUIT, ask_for_dump);
}

bool dump_asked() { return quit.exchange(false); }

void wait_for_signal() {
  std::uint64_t count = 0;
  while (::read(came, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

void end_wait_for_signal() { wake(); }

}  // namespace portico::engine
