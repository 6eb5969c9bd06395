#include "git/internal/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "git/internal/file.h"

// As POSIX declares it.
extern char** environ;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

namespace portico::git {
namespace {

constexpr std::size_t kMostOutput = 16u << 20;

struct Pipe {
  Fd read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return file_error("make", "pipe", errno);
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> out;
  for (char** one = environ; *one; ++one) {
    const std::string_view entry = *one;
    const std::string name(entry.substr(0, entry.find('=')));
    // These would lead git to another repository than the one asked for.
    if (name == "GIT_DIR" || name == "GIT_WORK_TREE" || name == "GIT_INDEX_FILE" ||
        name == "GIT_OBJECT_DIRECTORY" || name == "GIT_ALTERNATE_OBJECT_DIRECTORIES" ||
        name == "GIT_NAMESPACE" || name == "GIT_COMMON_DIR" || name.starts_with("GIT_TRACE"))
      continue;
    if (!changes.contains(name)) out.emplace_back(entry);
  }
  for (const auto& [name, value] : changes) out.push_back(name + "=" + value);
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// How long it takes at most to hear that it is to stop.
constexpr std::chrono::milliseconds kListen{50};

enum class End { kDone, kLate, kStopped };

// Reads both pipes until they end.
End drain(const Fd& out, const Fd& err, std::chrono::steady_clock::time_point deadline,
          const std::function<bool()>& stopped, Outcome& into) {
  std::array<pollfd, 2> ends{{{out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}}};
  std::array<std::string*, 2> texts{&into.out, &into.err};
  int open = 2;
  std::array<char, 65536> buffer;
  while (open > 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return End::kLate;
    if (stopped && stopped()) return End::kStopped;
    if (stopped) left = std::min(left, kListen);
    const int ready = ::poll(ends.data(), ends.size(), static_cast<int>(left.count()) + 1);
    if (ready < 0 && errno != EINTR) return End::kLate;
    if (ready <= 0) continue;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t got = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        const std::size_t room = kMostOutput - std::min(kMostOutput, texts[i]->size());
        texts[i]->append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
      } else if (got == 0 || errno != EINTR) {
        ends[i].fd = -1;
        --open;
      }
    }
  }
  return End::kDone;
}

}  // namespace

Result<Outcome> run_git(const std::string& folder, const std::vector<std::string>& arguments,
                        const std::map<std::string, std::string>& environment,
                        std::chrono::seconds patience, const std::function<bool()>& stopped) {
  const std::string what = arguments.empty() ? "" : arguments[0];
  if (stopped && stopped()) return unavailable("git {} was not begun: stopped", what);
  PORTICO_TRY(Pipe out, make_pipe());
  PORTICO_TRY(Pipe err, make_pipe());
  std::vector<std::string> words{"git", "-C", folder};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::map<std::string, std::string> changes = environment;
  changes.insert({{"GIT_TERMINAL_PROMPT", "0"}, {"LC_ALL", "C"}, {"GIT_OPTIONAL_LOCKS", "0"}});
  std::vector<std::string> variables = merged_environment(changes);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write.get(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own, so that git's helpers (ssh, remote-https) die with it.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = 0;
  const int status = ::posix_spawnp(&child, "git", &actions, &attributes, pointers(words).data(),
                                    pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (status != 0)
    return unavailable("cannot run the git program: {}", std::generic_category().message(status));
  out.write.reset();
  err.write.reset();

  Outcome outcome;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const End end = drain(out.read, err.read, deadline, stopped, outcome);
  if (end != End::kDone) ::kill(-child, SIGKILL);
  int how = 0;
  while (::waitpid(child, &how, 0) < 0 && errno == EINTR) {
  }
  if (end == End::kStopped) return unavailable("git {} was stopped before it was done", what);
  if (end == End::kLate)
    return unavailable("git {} did not finish within {} s", what, patience.count());
  outcome.status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
  return outcome;
}

}  // namespace portico::git
