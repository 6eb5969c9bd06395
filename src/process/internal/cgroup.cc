#include "process/internal/cgroup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace portico::process {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "portico-run-";  // of a cgroup for one program
constexpr const char* kOwnName = "portico";         // of the one that this process moves to

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

// A cgroup file must be written with a single write.
bool put(const std::string& path, std::string_view text) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool has_word(const std::string& text, std::string_view wanted) {
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (word == wanted) return true;
  return false;
}

// The number after `name`, in a file of lines "name number"; 0 if it is missing.
std::uint64_t counter(const std::string& path, std::string_view name) {
  std::istringstream lines(text_of(path));
  std::string word;
  for (std::uint64_t value = 0; lines >> word >> value;)
    if (word == name) return value;
  return 0;
}

// Whether systemd delegated the cgroup to this service.
bool is_delegated(const std::string& path) {
  char value = 0;
  for (const char* name : {"user.delegate", "trusted.delegate"})
    if (::getxattr(path.c_str(), name, &value, 1) == 1 && value == '1') return true;
  return false;
}

// Enables the available controllers for child cgroups; unavailable ones are not an error.
void pass_on(const std::string& path) {
  const std::string there = text_of(path + "/cgroup.controllers");
  for (const char* controller : {"memory", "pids"})
    if (has_word(there, controller))
      put(path + "/cgroup.subtree_control", fmt::format("+{}", controller));
}

bool passes_on_all(const std::string& path) {
  const std::string there = text_of(path + "/cgroup.controllers");
  const std::string passed = text_of(path + "/cgroup.subtree_control");
  for (const char* controller : {"memory", "pids"})
    if (has_word(there, controller) && !has_word(passed, controller)) return false;
  return true;
}

// Names contain the pid of their creator: those of a process that is gone are stale.
void remove_left_over(const std::string& base) {
  std::error_code error;
  std::vector<fs::path> stale;
  for (fs::directory_iterator at(base, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(kName)) continue;
    pid_t maker = 0;
    const char* const number = name.data() + kName.size();
    const auto parsed = std::from_chars(number, name.data() + name.size(), maker);
    if (parsed.ec == std::errc() && maker > 0 && ::kill(maker, 0) != 0 && errno == ESRCH)
      stale.push_back(at->path());
  }
  for (const fs::path& one : stale) ::rmdir(one.c_str());
}

}  // namespace

std::string own_cgroup(std::string_view mountinfo, std::string_view membership) {
  std::string path;
  std::istringstream memberships{std::string(membership)};
  for (std::string line; std::getline(memberships, line);)
    if (line.starts_with("0::/")) path = line.substr(3);
  if (path.empty()) return "";
  // "36 35 98:0 /root /mount/point options - type source ...", see proc(5).
  std::istringstream mounts{std::string(mountinfo)};
  for (std::string line; std::getline(mounts, line);) {
    const std::size_t dash = line.find(" - cgroup2 ");
    if (dash == std::string::npos) continue;
    std::istringstream fields(line);
    std::string skipped, root, point;
    fields >> skipped >> skipped >> skipped >> root >> point;
    if (root == "/") return path == "/" ? point : point + path;
    // The mount shows only a part of the hierarchy.
    if (path == root) return point;
    if (path.starts_with(root + "/")) return point + path.substr(root.size());
  }
  return "";
}

std::string cgroup_base(const std::string& own) {
  if (own.empty()) return "";
  const fs::path path(own);
  const bool moved = path.filename() == kOwnName;
  std::string base = moved ? path.parent_path().string() : own;
  if (::access(base.c_str(), W_OK) != 0) return "";
  if (!passes_on_all(base)) pass_on(base);
  if (moved || passes_on_all(base)) return base;
  if (!is_delegated(base) || text_of(base + "/cgroup.procs") != fmt::format("{}\n", ::getpid()))
    return "";
  const std::string below = base + "/" + kOwnName;
  if (::mkdir(below.c_str(), 0755) != 0 && errno != EEXIST) return "";
  if (!put(below + "/cgroup.procs", "0")) return "";
  pass_on(base);
  return base;
}

std::optional<Cgroup> Cgroup::make(const std::string& base, const CgroupLimits& limits) {
  if (base.empty()) return std::nullopt;
  remove_left_over(base);
  std::string path = fmt::format("{}/{}{}-XXXXXX", base, kName, ::getpid());
  if (::mkdtemp(path.data()) == nullptr) return std::nullopt;
  Cgroup out(path, Fd(::open((path + "/cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC)));
  // Without cgroup.kill (Linux 5.14) it is of no use.
  if (!out.members_ || ::access((path + "/cgroup.kill").c_str(), W_OK) != 0) return std::nullopt;
  if (limits.memory_bytes != 0 && put(path + "/memory.max", std::to_string(limits.memory_bytes))) {
    out.limits_memory_ = true;
    put(path + "/memory.swap.max", "0");
    put(path + "/memory.oom.group", "1");  // kill all of it or nothing
  }
  if (limits.processes != 0) put(path + "/pids.max", std::to_string(limits.processes));
  return out;
}

Cgroup::~Cgroup() {
  if (path_.empty()) return;
  kill(std::chrono::seconds(1));
  ::rmdir(path_.c_str());
}

bool Cgroup::is_populated() const { return counter(path_ + "/cgroup.events", "populated") != 0; }

bool Cgroup::ran_out_of_memory() const {
  return limits_memory_ && counter(path_ + "/memory.events", "oom_kill") > 0;
}

void Cgroup::kill(std::chrono::milliseconds most) {
  const Fd events(::open((path_ + "/cgroup.events").c_str(), O_RDONLY | O_CLOEXEC));
  if (!is_populated()) return;
  put(path_ + "/cgroup.kill", "1");
  const auto until = std::chrono::steady_clock::now() + most;
  while (events && is_populated()) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return;
    // poll() reports a change since the last read.
    std::string read(256, '\0');
    static_cast<void>(::pread(events.get(), read.data(), read.size(), 0));
    if (read.find("populated 0") != std::string::npos) return;
    pollfd changed{events.get(), POLLPRI, 0};
    ::poll(&changed, 1, static_cast<int>(left.count()));
  }
}

}  // namespace portico::process
