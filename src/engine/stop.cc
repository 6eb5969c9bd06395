#include "engine/stop.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <string>

#include "process/pending_cleanup.h"
#include "process/process.h"

namespace portico::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kToNotice{300}, kLate{2'000}, kToFinish{5'000};
constexpr int kStopping[] = {SIGINT, SIGTERM, SIGHUP};

// The only state that a signal handler can reach.
std::atomic<int> asked_by{0};      // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> asked{false};    // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> taken{false};    // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> quit{false};     // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> came{-1};         // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> interrupted{-1};  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> unfinished{0};    // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void wake(int descriptor) {
  const int number = errno;
  const std::uint64_t one = 1;
  static_cast<void>(::write(descriptor, &one, sizeof one) == 0);
  errno = number;
}

// nohup, and shells for background jobs, set some signals to be ignored; these stay ignored.
void handle_signals(void (*handler)(int)) {
  struct sigaction before {};
  for (const int one : kStopping)
    if (::sigaction(one, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      std::signal(one, handler);
}

// Includes descendants of the programs, which would survive the death of this process.
extern "C" void end_at_once(int signal) {
  process::kill_all();
  process::leave_afterwards();
  std::signal(signal, SIG_DFL);
  static_cast<void>(std::raise(signal));  // delivered when this handler returns
}
extern "C" void ask_to_stop(int signal) {
  asked_by = signal;
  asked = true;
  handle_signals(end_at_once);
  wake(came);
  wake(interrupted);
}
extern "C" void ask_for_dump(int) {
  quit = true;
  wake(came);
}

int milliseconds_until(Clock::time_point then) {
  if (then == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(then - Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
}

void listen(std::atomic<int>& descriptor) {
  if (descriptor < 0) descriptor = ::eventfd(0, EFD_CLOEXEC);
}

}  // namespace

const std::atomic<bool>& stop_asked() {
  taken = true;
  listen(came);
  handle_signals(ask_to_stop);
  return asked;
}

void listen_for_dump() {
  listen(came);
  std::signal(SIGQUIT, ask_for_dump);
}

bool dump_asked() { return quit.exchange(false); }

void wait_for_signal() {
  std::uint64_t count = 0;
  while (::read(came, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

void end_wait_for_signal() { wake(came); }

ShutdownGuard::ShutdownGuard() { ++unfinished; }
ShutdownGuard::~ShutdownGuard() { --unfinished; }

Interruption::Interruption(StopSource source, const Deadline& deadline)
    : source_(std::move(source)), deadline_(deadline), over_(::eventfd(0, EFD_CLOEXEC)) {
  listen(interrupted);
  handle_signals(ask_to_stop);
  thread_ = std::thread([this] { run(); });
}

Interruption::~Interruption() {
  wake(over_.get());
  thread_.join();
}

int Interruption::signal() const { return asked_by; }

// Whether the command still runs at that time.
bool Interruption::waits_until(Clock::time_point then) const {
  pollfd over{over_.get(), POLLIN, 0};
  for (;;) {
    const int ended = ::poll(&over, 1, milliseconds_until(then));
    if (ended > 0) return false;
    if (ended == 0 && Clock::now() >= then) return true;
  }
}

void Interruption::run() {
  const auto late = [this] { return deadline_.over(kLate); };
  while (asked_by == 0 && !late()) {
    pollfd ends[] = {{interrupted, POLLIN, 0}, {over_.get(), POLLIN, 0}};
    ::poll(ends, 2, milliseconds_until(deadline_.at(kLate)));
    if (ends[1].revents != 0) return;
  }
  if (asked_by == 0 || !taken) {
    source_.ask();
    process::stop_all();
  }
  const auto holds = [] { return taken || unfinished > 0 || process::ends_something(); };
  const auto began = Clock::now();
  if (!waits_until(began + (holds() ? kToFinish : kToNotice))) return;
  // Stopped programs have ended by now, and may need clean-up.
  if (holds() && !waits_until(began + kToFinish)) return;
  process::stop_all();
  if (!waits_until(Clock::now() + kToNotice)) return;  // while they are killed
  process::leave_afterwards();
  if (asked_by == 0) {
    const std::string line =
        fmt::format("portico: timed out after {} s (--timeout)\n", deadline_.seconds());
    static_cast<void>(::write(STDERR_FILENO, line.data(), line.size()));
    ::_exit(1);
  }
  ::_exit(128 + asked_by);
}

}  // namespace portico::engine
