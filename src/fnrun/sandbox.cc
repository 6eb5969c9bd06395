#include "fnrun/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>

#include "process/process.h"

namespace portico::fnrun {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNobody = "65534";

// Files that programs and libraries read on start; none contain secrets.
constexpr auto kEtc = std::to_array<const char*>(
    {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
     "/etc/localtime", "/etc/timezone", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group",
     "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates.conf", "/etc/mime.types",
     "/etc/perl", "/etc/python3", "/etc/python3.11", "/etc/java-17-openjdk"});
constexpr auto kEtcOfNetworks = std::to_array<const char*>({"/etc/resolv.conf", "/etc/hosts"});

struct Mount {
  std::string source, target;
  bool writable = false;
};

Result<Mount> parse_mount(const std::string& text) {
  Mount mount;
  std::string type = "bind";
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    const std::string value(equals == std::string_view::npos ? "" : part.substr(equals + 1));
    if (key == "type") {
      type = value;
    } else if (key == "src" || key == "source") {
      mount.source = value;
    } else if (key == "dst" || key == "destination" || key == "target") {
      mount.target = value;
    } else if (key == "rw") {
      mount.writable = value == "true";
    } else if (key != "readonly" && key != "ro") {
      return invalid("--mount \"{}\": unknown key \"{}\", use type, src, dst and rw", text, key);
    }
  }
  if (type != "bind") return invalid("--mount \"{}\": programs support only type=bind", text);
  if (mount.source.empty() || mount.target.empty())
    return invalid("--mount \"{}\": src=PATH and dst=PATH are required", text);
  if (!mount.target.starts_with('/'))
    return invalid("--mount \"{}\": dst must be an absolute path", text);
  std::error_code error;
  const fs::path source = fs::canonical(mount.source, error);
  if (error) return not_found("--mount \"{}\": \"{}\" not found", text, mount.source);
  mount.source = source.string();
  return mount;
}

// An in-memory file that one child reads from the start.
Result<Fd> filter_file(const std::string& program) {
  Fd file(::memfd_create("portico-filter", MFD_CLOEXEC));
  if (!file) return file_error("create", "a file in memory", errno);
  PORTICO_DO(write_all(file, program, "the system call filter"));
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

bool is_everybodys(const fs::path& file) {
  std::error_code error;
  constexpr fs::perms kWanted = fs::perms::others_read | fs::perms::others_exec;
  return (fs::status(file, error).permissions() & kWanted) == kWanted;
}

class Arguments {
 public:
  void add(std::initializer_list<std::string> words) {
    out.insert(out.end(), words.begin(), words.end());
  }

  // bubblewrap would create parent folders with their outside mode, which the user
  // "nobody" could not enter.
  void add_folders_above(const fs::path& path) {
    fs::path at;
    for (const fs::path& part : path.parent_path()) {
      at /= part;
      if (at != "/" && !is_bound(at) && made_.insert(at.string()).second)
        add({"--perms", "0755", "--dir", at.string()});
    }
  }

  void bind(const std::string& source, const std::string& target, bool writable = false) {
    add_folders_above(target);
    add({writable ? "--bind" : "--ro-bind", source, target});
    bound_.insert(target);
  }

  bool is_bound(const fs::path& path) const {
    for (fs::path at = path; at.has_relative_path(); at = at.parent_path())
      if (bound_.contains(at.string())) return true;
    return false;
  }

  std::vector<std::string> out;

 private:
  std::set<std::string> made_{"/tmp", "/var", "/var/tmp"}, bound_;
};

// /bin and similar are links into /usr on most systems, and folders on some.
void add_system(Arguments& to) {
  std::error_code ignored;
  to.bind("/usr", "/usr");
  for (const char* folder : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    const fs::file_status status = fs::symlink_status(folder, ignored);
    if (fs::is_symlink(status))
      to.add({"--symlink", fs::read_symlink(folder, ignored).string(), folder});
    else if (fs::is_directory(status))
      to.bind(folder, folder);
  }
}

}  // namespace

Result<Caged> caged(const std::vector<std::string>& argv, const Sandbox& cage) {
  Caged out;
  const bool root = ::geteuid() == 0;
  Arguments to;
  to.add({"bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try",
          "--hostname", "function", "--die-with-parent", "--new-session", "--cap-drop", "ALL"});
  if (!cage.network) to.add({"--unshare-net"});
  // Root needs no user namespace, which some kernels do not allow: it switches to nobody inside,
  // with the three capabilities that setpriv then drops permanently.
  if (root)
    to.add({"--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"});
  else
    to.add({"--unshare-user", "--disable-userns", "--uid", kNobody, "--gid", kNobody});
  PORTICO_TRY(const SystemCallFilters filters, system_call_filters());
  // If both filters refuse a call, the one loaded last determines the error.
  for (const std::string& program : {filters.allowed, filters.refused}) {
    PORTICO_TRY(Fd filter, filter_file(program));
    to.add({"--add-seccomp-fd", std::to_string(filter.get())});
    out.open.push_back(std::move(filter));
  }

  const std::string size = std::to_string(cage.temporary_bytes);
  to.add({"--dev", "/dev", "--proc", "/proc"});
  // /dev/shm is where POSIX keeps shared memory and semaphores.
  for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm"})
    to.add({"--size", size, "--perms", "1777", "--tmpfs", folder});
  add_system(to);
  for (const char* path : kEtc) to.add({"--ro-bind-try", path, path});
  if (cage.network)
    for (const char* path : kEtcOfNetworks) to.add({"--ro-bind-try", path, path});

  std::error_code error;
  std::string where = "/tmp";
  const fs::path here = fs::current_path(error);
  for (const std::string& text : cage.mounts) {
    PORTICO_TRY(const Mount mount, parse_mount(text));
    to.bind(mount.source, mount.target, mount.writable);
    if (mount.target == here.string()) where = mount.target;
  }
  std::vector<std::string> inner = argv;
  const std::string program = process::find_program(argv.front());
  if (!program.empty()) {
    // The program sees the name that it was called by; a symbolic link is resolved here, not
    // inside.
    const fs::path called = fs::absolute(program, error).lexically_normal();
    const fs::path file = fs::canonical(program, error);
    inner.front() = called.string();
    if (!to.is_bound(called)) {
      if (root && !is_everybodys(file)) {
        Fd copied(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
        if (!copied) return file_error("read", file.string(), errno);
        to.add_folders_above(called);
        to.add(
            {"--perms", "0555", "--ro-bind-data", std::to_string(copied.get()), called.string()});
        out.open.push_back(std::move(copied));
      } else {
        to.bind(file.string(), called.string());
      }
    }
  }
  to.add({"--setenv", "HOME", "/tmp", "--chdir", where, "--"});
  if (root)
    to.add({"/usr/bin/setpriv", "--reuid", kNobody, "--regid", kNobody, "--clear-groups",
            "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--"});
  to.add({"/usr/bin/prlimit", "--nproc=" + std::to_string(cage.processes), "--"});
  to.out.insert(to.out.end(), inner.begin(), inner.end());
  out.argv = std::move(to.out);
  return out;
}

}  // namespace portico::fnrun
