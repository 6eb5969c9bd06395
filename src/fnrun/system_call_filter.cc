// The seccomp filters of the sandbox.
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>

#include "base/fd.h"
#include "fnrun/internal/allowed_calls.h"
#include "fnrun/sandbox.h"

namespace portico::fnrun {
namespace {

// Calls that fail with EPERM. By name, since not every architecture has all of them. They are not
// in the allowed list either.
constexpr auto kRefused = std::to_array<const char*>({
    // mounts, namespaces
    "mount",
    "umount",
    "umount2",
    "pivot_root",
    "chroot",
    "unshare",
    "setns",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "move_mount",
    "open_tree",
    "mount_setattr",
    "swapon",
    "swapoff",
    "sysfs",
    "quotactl",
    "quotactl_fd",
    "name_to_handle_at",
    "open_by_handle_at",
    // the kernel itself
    "init_module",
    "finit_module",
    "delete_module",
    "create_module",
    "query_module",
    "get_kernel_syms",
    "kexec_load",
    "kexec_file_load",
    "bpf",
    "perf_event_open",
    "lookup_dcookie",
    "userfaultfd",
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    "syslog",
    "reboot",
    "acct",
    "_sysctl",
    "nfsservctl",
    "vhangup",
    "uselib",
    "ustat",
    "fanotify_init",
    // keys, clocks, hardware
    "add_key",
    "request_key",
    "keyctl",
    "settimeofday",
    "clock_settime",
    "clock_settime64",
    "clock_adjtime",
    "clock_adjtime64",
    "adjtimex",
    "stime",
    "ioperm",
    "iopl",
    "vm86",
    "vm86old",
    "modify_ldt",
    "sethostname",
    "setdomainname",
    // other processes and memory placement
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "kcmp",
    "pidfd_getfd",
    "mbind",
    "set_mempolicy",
    "set_mempolicy_home_node",
    "get_mempolicy",
    "move_pages",
    "migrate_pages",
});

class Filter {
 public:
  explicit Filter(std::uint32_t otherwise)
      : context_(::seccomp_init(otherwise), &::seccomp_release) {}

  bool allow() {
    if (!context_) return false;
    bool fine = true;
    for (const char* name : internal::kAllowedCalls) {
      const int number = ::seccomp_syscall_resolve_name(name);
      if (number >= 0) fine = add(SCMP_ACT_ALLOW, number, {}) && fine;
    }
    // Default Linux, 32-bit uname, version 2.6, both, and the query.
    for (const std::uint64_t personality : {0x0ul, 0x8ul, 0x20000ul, 0x20008ul, 0xfffffffful})
      fine = add(SCMP_ACT_ALLOW, SCMP_SYS(personality), {SCMP_A0(SCMP_CMP_EQ, personality, 0)}) &&
             fine;
    return fine;
  }

  bool refuse() {
    if (!context_) return false;
    bool fine = true;
    for (const char* name : kRefused) {
      const int number = ::seccomp_syscall_resolve_name(name);
      // Negative numbers: calls that this architecture does not have.
      if (number >= 0) fine = add(SCMP_ACT_ERRNO(EPERM), number, {}) && fine;
    }
    // Each flag of clone that creates a namespace. clone3 passes its flags behind a pointer, so it
    // fails with ENOSYS, and C libraries fall back to clone.
    constexpr std::uint64_t kNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                          CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                          CLONE_NEWNET;
    for (std::uint64_t flag = 1; flag <= kNamespaces; flag <<= 1)
      if ((kNamespaces & flag) != 0)
        fine = add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone),
                   {SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)}) &&
               fine;
    fine = add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), {}) && fine;
    // Injecting terminal input, and console paste buffers.
    fine = add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl),
               {SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, TIOCSTI)}) &&
           fine;
    fine = add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl),
               {SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, TIOCLINUX)}) &&
           fine;
    // Raw packets that bypass network rules, the host of a virtual machine, kernel crypto.
    for (const int family : {AF_PACKET, AF_VSOCK, AF_ALG, AF_KEY, AF_XDP})
      fine = add(SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket),
                 {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(family), 0)}) &&
             fine;
    return fine;
  }

  Result<std::string> program() const {
    const Fd file(::memfd_create("portico-filter", MFD_CLOEXEC));
    if (!file) return file_error("create", "a file in memory", errno);
    if (::seccomp_export_bpf(context_.get(), file.get()) != 0)
      return unavailable("libseccomp cannot write the system call filter");
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    std::string program(static_cast<std::size_t>(size), '\0');
    if (::pread(file.get(), program.data(), program.size(), 0) != size)
      return file_error("read", "the system call filter", errno);
    return program;
  }

 private:
  bool add(std::uint32_t action, int number, std::initializer_list<scmp_arg_cmp> when) {
    return ::seccomp_rule_add_array(context_.get(), action, number,
                                    static_cast<unsigned>(when.size()), when.begin()) == 0;
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
};

}  // namespace

Result<SystemCallFilters> system_call_filters() {
  Filter allowed(SCMP_ACT_ERRNO(ENOSYS)), refused(SCMP_ACT_ALLOW);
  if (!allowed.allow() || !refused.refuse())
    return unavailable("libseccomp cannot create the system call filters");
  SystemCallFilters out;
  PORTICO_TRY(out.allowed, allowed.program());
  PORTICO_TRY(out.refused, refused.program());
  return out;
}

}  // namespace portico::fnrun
