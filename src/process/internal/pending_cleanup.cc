#include "process/internal/pending_cleanup.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "process/pending_cleanup.h"

namespace portico::process {
namespace {

constexpr std::size_t kMost = 256, kNone = kMost;

// Atomics, because signal handlers cannot take locks.
using All = std::array<std::atomic<const PendingCleanup::Program*>, kMost>;
static_assert(std::atomic<const PendingCleanup::Program*>::is_always_lock_free);
All& all() {
  static constinit All owed{};
  return owed;
}

/// Runs in the forked child of a multithreaded process: only system calls are allowed.
pid_t start(const PendingCleanup::Program& program, const sigset_t& no_signals) {
  const pid_t pid = ::_Fork();
  if (pid != 0) return pid;
  ::setpgid(0, 0);
  ::sigprocmask(SIG_SETMASK, &no_signals, nullptr);
  ::execve(program.file.c_str(), program.argv.data(), program.environment.data());
  ::_exit(127);
}

/// Likewise.
[[noreturn]] void run_all() {
  ::setsid();  // detaches from the terminal and its interrupts
  for (int number = 1; number < NSIG; ++number)
    if (number != SIGKILL && number != SIGSTOP) ::signal(number, SIG_DFL);
  sigset_t none, ended;
  sigemptyset(&none);
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  ::sigprocmask(SIG_SETMASK, &ended, nullptr);
  // Release the inherited streams, so that nothing waits for this process to close them.
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) ::dup2(nothing, fd);
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);

  std::array<pid_t, kMost> running{};
  std::size_t count = 0;
  for (const auto& one : all())
    if (const PendingCleanup::Program* program = one.load())
      if (const pid_t pid = start(*program, none); pid > 0) running[count++] = pid;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const std::time_t until = now.tv_sec + kAfterwards.count();
  std::size_t left = count;
  while (left > 0) {
    while (left > 0 && ::waitpid(-1, nullptr, WNOHANG) > 0) --left;
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    if (left == 0 || now.tv_sec >= until) break;
    const timespec most{until - now.tv_sec, 0};
    ::sigtimedwait(&ended, nullptr, &most);
  }
  for (std::size_t i = 0; i < count; ++i) ::kill(-running[i], SIGKILL);
  ::_exit(0);
}

}  // namespace

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

PendingCleanup::PendingCleanup(const Command& command) : place_(kNone) {
  if (command.afterwards.empty()) return;
  program_ = {find_program(command.afterwards.front()), pointers(command.afterwards),
              pointers(command.environment)};
  if (program_.file.empty()) return;
  for (std::size_t i = 0; i < kMost && place_ == kNone; ++i) {
    const Program* none = nullptr;
    if (all()[i].compare_exchange_strong(none, &program_)) place_ = i;
  }
}

PendingCleanup::~PendingCleanup() {
  if (place_ != kNone) all()[place_] = nullptr;
}

void leave_afterwards() noexcept {
  bool any = false;
  for (const auto& one : all()) any = any || one.load() != nullptr;
  // In the child's copy of the memory no other thread runs, so no entry is removed.
  if (any && ::_Fork() == 0) run_all();
}

}  // namespace portico::process
