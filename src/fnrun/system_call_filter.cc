// The part of the cage that the kernel is asked through.
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
#include "fnrun/cage.h"

namespace portico::fnrun {
namespace {

// What the engines of containers refuse by default, by name, since not every architecture has all.
constexpr auto kRefused = std::to_array<const char*>({
    // other worlds: mounts and namespaces
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
    // other processes and where memory is
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
  Filter() : context_(::seccomp_init(SCMP_ACT_ALLOW), &::seccomp_release) {}

  bool refuse() {
    if (!context_) return false;
    bool fine = true;
    for (const char* name : kRefused) {
      const int number = ::seccomp_syscall_resolve_name(name);
      // Negative numbers are calls that this architecture does not have.
      if (number >= 0) fine = add(SCMP_ACT_ERRNO(EPERM), number, {}) && fine;
    }
    // A new namespace by any of the flags that ask for one. clone3 hides its flags behind a
    // pointer: it "does not exist", and every C library then uses clone.
    constexpr std::uint64_t kNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                          CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                          CLONE_NEWNET;
    for (std::uint64_t flag = 1; flag <= kNamespaces; flag <<= 1)
      if ((kNamespaces & flag) != 0)
        fine = add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone),
                   {SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)}) &&
               fine;
    fine = add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), {}) && fine;
    // Putting characters into the terminal's input, and paste buffers of consoles.
    fine = add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl),
               {SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, TIOCSTI)}) &&
           fine;
    fine = add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl),
               {SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, TIOCLINUX)}) &&
           fine;
    // Packets past the network's rules, the host of a virtual machine, the kernel's crypto.
    for (const int family : {AF_PACKET, AF_VSOCK, AF_ALG, AF_KEY, AF_XDP})
      fine = add(SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket),
                 {SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(family), 0)}) &&
             fine;
    return fine;
  }

  bool write_to(int file) const { return ::seccomp_export_bpf(context_.get(), file) == 0; }

 private:
  bool add(std::uint32_t action, int number, std::initializer_list<scmp_arg_cmp> when) {
    return ::seccomp_rule_add_array(context_.get(), action, number,
                                    static_cast<unsigned>(when.size()), when.begin()) == 0;
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
};

}  // namespace

Result<std::string> system_call_filter() {
  Filter filter;
  if (!filter.refuse()) return unavailable("libseccomp cannot make the filter of system calls");
  const Fd file(::memfd_create("portico-filter", MFD_CLOEXEC));
  if (!file) return file_error("make", "a file in memory", errno);
  if (!filter.write_to(file.get()))
    return unavailable("libseccomp cannot write the filter of system calls");
  const off_t size = ::lseek(file.get(), 0, SEEK_END);
  std::string program(static_cast<std::size_t>(size), '\0');
  if (::pread(file.get(), program.data(), program.size(), 0) != size)
    return file_error("read", "the filter of system calls", errno);
  return program;
}

}  // namespace portico::fnrun
