#include "process/on_terminal.h"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "base/fd.h"

namespace portico::process {
namespace {

// Terminal signals go to both processes; this one ignores them.
class SignalsIgnored {
 public:
  SignalsIgnored() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGINT, &ignore, &interrupt_);
    ::sigaction(SIGQUIT, &ignore, &quit_);
  }
  SignalsIgnored(const SignalsIgnored&) = delete;
  SignalsIgnored& operator=(const SignalsIgnored&) = delete;
  ~SignalsIgnored() {
    ::sigaction(SIGINT, &interrupt_, nullptr);
    ::sigaction(SIGQUIT, &quit_, nullptr);
  }

 private:
  struct sigaction interrupt_ {
  }, quit_{};
};

constexpr std::chrono::seconds kToEnd{2};
constexpr std::size_t kMostPrograms = 1'000;

// Whether the program ends before `stop`. If there is no pidfd to wait on: always true.
bool ends(const Fd& exit, const Stop& stop) {
  if (exit.get() < 0) return true;
  while (!stop()) {
    pollfd ready[] = {{exit.get(), POLLIN, 0}, {stop.descriptor(), POLLIN, 0}};
    int milliseconds = -1;
    if (stop.at() != Stop::Time::max()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(
          stop.at() - std::chrono::steady_clock::now());
      milliseconds = static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
    }
    ::poll(ready, 2, milliseconds);
    if (ready[0].revents != 0) return true;
  }
  return false;
}

// Signals the program and its descendants: killing only a shell leaves its editor behind.
void signal_all(pid_t program, int signal) {
  std::vector<pid_t> all{program};
  for (std::size_t i = 0; i < all.size() && i < kMostPrograms; ++i) {
    std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", all[i]));
    for (pid_t child = 0; children >> child;) all.push_back(child);
  }
  for (const pid_t each : all) ::kill(each, signal);
}

}  // namespace

Result<int> run_on_terminal(const std::vector<std::string>& argv, const Stop& stop) {
  if (argv.empty()) return internal("no program to run");
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const SignalsIgnored ignored;
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t defaults;
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGINT);
  ::sigaddset(&defaults, SIGQUIT);
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = -1;
  const int failed = ::posix_spawnp(&child, words[0], nullptr, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  if (failed == ENOENT) return not_found("program \"{}\" not found", argv[0]);
  if (failed != 0) return invalid("cannot run \"{}\": {}", argv[0], std::strerror(failed));
  const Fd exit(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  const bool stopped = !ends(exit, stop);
  if (stopped) {
    signal_all(child, SIGTERM);
    if (!ends(exit, Stop::at_time(std::chrono::steady_clock::now() + kToEnd)))
      signal_all(child, SIGKILL);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return unavailable("cannot wait for \"{}\"", argv[0]);
  if (stopped) return unavailable("interrupted; \"{}\" was stopped", argv[0]);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace portico::process
