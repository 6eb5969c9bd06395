#include "process/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/fd.h"
#include "base/world_error.h"
#include "process/internal/cgroup.h"
#include "process/internal/pending_cleanup.h"

// POSIX, but no header declares it.
extern char** environ;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

namespace portico::process {

namespace {

using SteadyClock = std::chrono::steady_clock;

std::string system_error(int number) { return std::strerror(number); }

struct Pipe {
  Fd read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return unavailable("cannot create a pipe: {}", system_error(errno));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

void set_nonblocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/// Turns a write to a program that has exited into an error instead of a SIGPIPE.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &old_);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;
  ~NoBrokenPipe() {
    const timespec at_once{};
    if (!was_pending_) sigtimedwait(&pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &old_, nullptr);
  }
  const sigset_t& old() const { return old_; }

 private:
  sigset_t pipe_{}, old_{};
  bool was_pending_ = false;
};

void set_limit(int resource, std::uint64_t value) {
  if (value == 0) return;
  rlimit limit{};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  limit.rlim_cur = limit.rlim_max = std::min<rlim_t>(value, limit.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

// Process groups of the running programs, 0 in free slots. Atomics, because signal handlers cannot
// take locks.
using Groups = std::array<std::atomic<pid_t>, 1024>;
static_assert(std::atomic<pid_t>::is_always_lock_free);
Groups& groups() {
  static constinit Groups all{};
  return all;
}

/// A slot in groups(). If all are taken, which is not expected, the group is not recorded.
class Place {
 public:
  Place() {
    for (std::atomic<pid_t>& one : groups()) {
      pid_t none = 0;
      if (!one.compare_exchange_strong(none, kTaken)) continue;
      group_ = &one;
      return;
    }
  }
  Place(Place&& other) noexcept : group_(std::exchange(other.group_, nullptr)) {}
  Place& operator=(Place&&) = delete;
  ~Place() { give_back(); }

  void note(pid_t group) const {
    if (group_ != nullptr) *group_ = group;
  }
  void give_back() {
    if (group_ != nullptr) *std::exchange(group_, nullptr) = 0;
  }

 private:
  static constexpr pid_t kTaken = -1;
  std::atomic<pid_t>* group_ = nullptr;
};

struct Child {
  pid_t parent;
  const char* program;
  char* const* argv;
  char* const* environment;
  int in, out, err, report;
  const sigset_t* signals;
  const Limits* limits;
  const std::vector<int>* open;
  int cgroup;             // fd of its cgroup.procs; -1: none
  bool memory_by_cgroup;  // whether the cgroup limits memory
  const Place* place;
};

/// Runs between vfork and exec, in the memory of the waiting parent: only system calls are allowed.
[[noreturn]] void become(const Child& child) {
  ::setpgid(0, 0);
  // In its own group the program does not get the terminal's SIGINT and would outlive this process.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != child.parent) ::_exit(127);  // the parent died before prctl()
  child.place->note(::getpid());                  // before it can start anything
  ::dup2(child.in, STDIN_FILENO);
  ::dup2(child.out, STDOUT_FILENO);
  ::dup2(child.err, STDERR_FILENO);
  // A signal handler would run in the parent's memory: reset all before unblocking signals.
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN ||
        action.sa_handler == SIG_DFL)
      continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
  }
  ::signal(SIGPIPE, SIG_DFL);
  pthread_sigmask(SIG_SETMASK, child.signals, nullptr);
  const rlimit none{};
  ::setrlimit(RLIMIT_CORE, &none);
  const bool joined = child.cgroup >= 0 && ::write(child.cgroup, "0", 1) == 1;
  if (!joined || !child.memory_by_cgroup) set_limit(RLIMIT_AS, child.limits->memory_bytes);
  set_limit(RLIMIT_FSIZE, child.limits->file_bytes);
  set_limit(RLIMIT_CPU, static_cast<std::uint64_t>(child.limits->time.count()) / 1000 + 1);
  // Descriptors that this process inherited are not passed on.
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  for (const int one : *child.open) ::fcntl(one, F_SETFD, 0);
  ::execve(child.program, child.argv, child.environment);
  const int number = errno;
  static_cast<void>(::write(child.report, &number, sizeof number) == 0);
  ::_exit(127);
}

// Resident memory of a process and all its descendants, in bytes.
std::uint64_t memory_of_tree(pid_t root) {
  struct Process {
    pid_t parent = 0;
    std::uint64_t pages = 0;
  };
  std::map<pid_t, Process> all;
  std::error_code error;
  for (std::filesystem::directory_iterator at("/proc", error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.empty() || name.front() < '0' || name.front() > '9') continue;
    std::ifstream file(at->path() / "stat");
    std::string text;
    if (!std::getline(file, text)) continue;
    // "pid (name) state parent ... resident"; the name may contain any character.
    const std::size_t close = text.rfind(')');
    if (close == std::string::npos) continue;
    std::istringstream fields(text.substr(close + 1));
    std::string state, skipped;
    Process one;
    fields >> state >> one.parent;
    for (int i = 0; i < 19; ++i) fields >> skipped;
    fields >> one.pages;
    all.emplace(static_cast<pid_t>(std::strtol(name.c_str(), nullptr, 10)), one);
  }
  std::uint64_t pages = 0;
  for (const auto& [pid, process] : all) {
    pid_t at = pid;
    for (std::size_t steps = 0; at != root && at > 1 && steps < all.size(); ++steps) {
      const auto found = all.find(at);
      at = found == all.end() ? 0 : found->second.parent;
    }
    if (at == root) pages += process.pages;
  }
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Process-wide, like signals.
StopSource& everything() {
  static StopSource source;
  return source;
}

std::atomic<int>& running_afterwards() {
  static std::atomic<int> count{0};
  return count;
}

/// A started program, with this side's ends of its pipes.
class Running {
 public:
  Running(pid_t pid, Place place, Stop all, Fd in, Fd out, Fd err, std::optional<Cgroup> cgroup)
      : pid_(pid),
        place_(std::move(place)),
        all_(std::move(all)),
        in_(std::move(in)),
        out_(std::move(out)),
        err_(std::move(err)),
        cgroup_(std::move(cgroup)) {
    for (const Fd* one : {&in_, &out_, &err_}) set_nonblocking(one->get());
    exit_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  }

  End talk(std::string_view input, const Limits& limits, Finished& finished) {
    const auto deadline = SteadyClock::now() + limits.time;
    if (input.empty()) in_.reset();
    bool exited = false;
    const bool looks = limits.memory_bytes != 0 && !(cgroup_ && cgroup_->limits_memory());
    auto heard = SteadyClock::now();
    auto silent_from = deadline;  // when to stop reading after the program has ended
    auto look = SteadyClock::now() + kBetweenLooks;
    while (!exited || bool(out_) || bool(err_)) {
      const auto now = SteadyClock::now();
      if (exited && now >= silent_from) return End::kItself;
      if (now >= deadline) return End::kTime;
      auto next = deadline;  // the next deadline
      if (exited) next = std::min(next, silent_from);
      if (limits.silence.count() > 0 && !exited) {
        if (now >= heard + limits.silence) return End::kSilence;
        next = std::min(next, heard + limits.silence);
      }
      if (looks && !exited) {
        if (now >= look) {
          if (memory_of_tree(pid_) > limits.memory_bytes) return End::kMemory;
          look = now + kBetweenLooks;
        }
        next = std::min(next, look);
      }
      if (limits.stopped() || all_()) return End::kStopped;
      next = std::min(next, limits.stopped.at());
      // Without a pidfd the program is polled.
      if (!exit_ && !exited) next = std::min(next, now + kPause);
      std::array<pollfd, 6> polled{{{in_.get(), POLLOUT, 0},
                                    {out_.get(), POLLIN, 0},
                                    {err_.get(), POLLIN, 0},
                                    {exited ? -1 : exit_.get(), POLLIN, 0},
                                    {limits.stopped.descriptor(), POLLIN, 0},
                                    {all_.descriptor(), POLLIN, 0}}};
      ::poll(polled.data(), polled.size(), milliseconds_to(next));
      if (polled[0].revents != 0) write_some(input);
      if (polled[1].revents != 0 && !read_some(out_, finished.output, limits.output_bytes) &&
          !limits.cut_output)
        return End::kOutput;
      if (polled[2].revents != 0) read_some(err_, finished.stderr_text, limits.stderr_bytes);
      if (polled[1].revents != 0 || polled[2].revents != 0) heard = SteadyClock::now();
      if (!exited && reap(finished, WNOHANG)) {
        exited = true;
        in_.reset();
        silent_from = SteadyClock::now() + kLastWords;
      }
    }
    return End::kItself;
  }

  /// Whether the kernel's OOM killer ended the program or one of its descendants.
  bool ran_out_of_memory() const { return cgroup_ && cgroup_->ran_out_of_memory(); }

  /// Returns once the program and its descendants are gone, so that no caller sees them still
  /// working.
  void kill(Finished& finished) {
    if (!reaped_) {  // else the group is gone too, and its number may be reused
      ::kill(-pid_, SIGKILL);
      ::kill(pid_, SIGKILL);
      reap(finished, 0);
    }
    if (cgroup_) cgroup_->kill(kLastWords);
    // Processes in other groups, such as all in a cage, are killed by the kernel a moment after
    // their parent: wait until they close the output.
    const auto until = SteadyClock::now() + kLastWords;
    std::string unread;
    while ((out_ || err_) && SteadyClock::now() < until) {
      std::array<pollfd, 2> polled{{{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}}};
      ::poll(polled.data(), polled.size(), milliseconds_to(until));
      if (polled[0].revents != 0) read_some(out_, unread, 0);
      if (polled[1].revents != 0) read_some(err_, unread, 0);
    }
  }

 private:
  static constexpr std::chrono::milliseconds kPause{20};
  static constexpr std::chrono::milliseconds kBetweenLooks{100};
  static constexpr std::chrono::seconds kLastWords{1};

  static int milliseconds_to(SteadyClock::time_point then) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(then - SteadyClock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
  }

  bool reap(Finished& finished, int options) {
    // Processes that the program left running must not keep its output open. Kill the group before
    // its number can be reused.
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT | options) != 0 ||
        ended.si_pid == 0)
      return false;
    ::kill(-pid_, SIGKILL);
    place_.give_back();
    int status = 0;
    const pid_t done = ::waitpid(pid_, &status, 0);
    if (done == 0 || (done < 0 && errno == EINTR)) return false;
    reaped_ = true;
    finished.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return true;
  }

  void write_some(std::string_view& input) {
    const ssize_t count = ::write(in_.get(), input.data(), input.size());
    if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
    if (input.empty() || (count < 0 && errno != EAGAIN && errno != EINTR)) in_.reset();
  }

  /// Appends at most `most` bytes in total; false if there was more, which is dropped.
  static bool read_some(Fd& from, std::string& to, std::size_t most) {
    std::array<char, 65536> buffer;
    const ssize_t count = ::read(from.get(), buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) from.reset();
    if (count <= 0) return true;
    const auto size = static_cast<std::size_t>(count);
    const std::size_t room = most - std::min(most, to.size());
    to.append(buffer.data(), std::min(size, room));
    return size <= room;
  }

  const pid_t pid_;
  Place place_;
  const Stop all_;
  Fd in_, out_, err_, exit_;
  std::optional<Cgroup> cgroup_;
  bool reaped_ = false;
};

std::optional<Cgroup> make_cgroup(const Limits& limits) {
  if (!limits.cgroup) return std::nullopt;
  const auto text_of = [](const char* path) {
    std::ifstream file(path);
    std::ostringstream out;
    out << file.rdbuf();
    return out.str();
  };
  const std::string own = own_cgroup(text_of("/proc/self/mountinfo"), text_of("/proc/self/cgroup"));
  return Cgroup::make(cgroup_base(own), {limits.memory_bytes, limits.processes});
}

}  // namespace

std::vector<std::string> own_environment() {
  std::vector<std::string> out;
  for (char** one = environ; *one != nullptr; ++one)
    if (!std::string_view(*one).starts_with("PORTICO_SECRETS_KEY=")) out.emplace_back(*one);
  return out;
}

std::string find_program(const std::string& name) {
  const auto runs = [](const std::string& file) {
    std::error_code ignored;
    return ::access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file, ignored);
  };
  if (name.find('/') != std::string::npos) return runs(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (!name.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    std::string file = std::string(folders.substr(0, end)) + "/" + name;
    if (end > 0 && runs(file)) return file;
    if (end == folders.size()) break;
    folders.remove_prefix(end + 1);
  }
  return "";
}

namespace {

Result<Finished> run_until(const Stop& stopping, const Command& command, const Limits& limits) {
  const std::string name = command.argv.empty() ? "" : command.argv.front();
  if (stopping()) return Finished{128 + SIGKILL, "", "", End::kStopped};
  const std::string program = find_program(name);
  if (program.empty()) return refused("program \"{}\" not found or not executable", name);
  PORTICO_TRY(Pipe in, make_pipe());
  PORTICO_TRY(Pipe out, make_pipe());
  PORTICO_TRY(Pipe err, make_pipe());
  PORTICO_TRY(Pipe report, make_pipe());
  const std::vector<char*> argv = pointers(command.argv);
  const std::vector<char*> environment = pointers(command.environment);
  const NoBrokenPipe guard;
  std::optional<Cgroup> cgroup = make_cgroup(limits);
  Place place;
  const Child child{::getpid(),
                    program.c_str(),
                    argv.data(),
                    environment.data(),
                    in.read.get(),
                    out.write.get(),
                    err.write.get(),
                    report.write.get(),
                    &guard.old(),
                    &limits,
                    &command.open,
                    cgroup ? cgroup->members() : -1,
                    cgroup && cgroup->limits_memory(),
                    &place};
  // As in posix_spawn: no signal handler runs in the child.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // Not fork: that would copy the page tables of a large process for every function call.
  const pid_t pid = ::vfork();
  if (pid != 0) pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return unavailable("cannot start \"{}\": {}", name, system_error(errno));
  if (pid == 0) become(child);
  ::setpgid(pid, pid);
  place.note(pid);  // under sanitizers vfork is fork, and the child's note() is lost
  for (Fd* one : {&in.read, &out.write, &err.write, &report.write}) one->reset();
  int number = 0;
  const bool started = ::read(report.read.get(), &number, sizeof number) != sizeof number;
  Finished finished;
  if (cgroup && !cgroup->is_populated()) cgroup.reset();  // it could not join, or has ended already
  Running running(pid, std::move(place), stopping, std::move(in.write), std::move(out.read),
                  std::move(err.read), std::move(cgroup));
  if (!started) {
    running.kill(finished);
    return error_for(remedy_of_no_start(number),
                     fmt::format("cannot run \"{}\": {}", name, system_error(number)));
  }
  finished.end = running.talk(command.input, limits, finished);
  if (finished.end != End::kItself) running.kill(finished);
  if (finished.end == End::kItself && running.ran_out_of_memory()) finished.end = End::kMemory;
  return finished;
}

}  // namespace

Result<Finished> run(const Command& command, const Limits& limits) {
  const PendingCleanup owed(command);
  PORTICO_TRY(Finished finished, run_until(everything().stop(), command, limits));
  if (finished.end != End::kItself && !command.afterwards.empty()) {
    Limits short_ones;
    short_ones.time = kAfterwards;
    short_ones.memory_bytes = 0;
    ++running_afterwards();
    static_cast<void>(run_until(Stop(), {command.afterwards, command.environment, ""}, short_ones));
    --running_afterwards();
  }
  return finished;
}

void stop_all() { everything().ask(); }

void kill_all() noexcept {
  for (const std::atomic<pid_t>& group : groups())
    if (const pid_t running = group; running > 0) ::kill(-running, SIGKILL);
}

bool ends_something() { return running_afterwards() > 0; }

Result<Finished> run_to_end(const Command& command, const Limits& limits) {
  PORTICO_TRY(Finished finished, run(command, limits));
  const std::string& name = command.argv.front();
  const auto seconds = [](std::chrono::milliseconds time) {
    return static_cast<double>(time.count()) / 1000;
  };
  switch (finished.end) {
    case End::kItself:
      return finished;
    case End::kStopped:
      return unavailable("\"{}\" was stopped before it finished", name);
    case End::kTime:
      return refused("\"{}\" took longer than {} s and was stopped", name, seconds(limits.time));
    case End::kSilence:
      return refused("\"{}\" produced no output for {} s and was stopped", name,
                     seconds(limits.silence));
    case End::kMemory:
      return invalid(
          "\"{}\" and its child processes used more than {} bytes of memory and were stopped", name,
          limits.memory_bytes);
    case End::kOutput:
      break;
  }
  return invalid("\"{}\" wrote more than {} bytes and was stopped", name, limits.output_bytes);
}

}  // namespace portico::process
