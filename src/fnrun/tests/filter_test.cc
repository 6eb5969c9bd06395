// Which system calls a sandboxed program may make.
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "fnrun/internal/allowed_calls.h"
#include "fnrun/sandbox.h"

namespace portico::fnrun {
namespace {

bool load(const std::string& program) {
  std::vector<sock_filter> code(program.size() / sizeof(sock_filter));
  std::memcpy(code.data(), program.data(), program.size());
  const sock_fprog loaded{static_cast<unsigned short>(code.size()), code.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &loaded) == 0;
}

struct Call {
  const char* name;
  long number, first, second;
};

/// The errno of a call in a child with the filters; 0 for success, 200 if the filters could not be
/// loaded. No call here has an effect if it is allowed.
int error_of(const SystemCallFilters& filters, const Call& call) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !load(filters.allowed) ||
        !load(filters.refused))
      ::_exit(200);
    const long done = ::syscall(call.number, call.first, call.second, 0, 0, 0, 0);
    ::_exit(done < 0 ? errno : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(Filter, LetsThroughWhatProgramsWorkWithAndNothingElse) {
  const auto filters = system_call_filters();
  ASSERT_TRUE(filters) << filters.error().text();
  if (error_of(*filters, {"getpid", SYS_getpid, 0, 0}) == 200)
    GTEST_SKIP() << "this machine loads no filters";
  for (const Call& call : {
           Call{"getpid", SYS_getpid, 0, 0},
           Call{"sched_yield", SYS_sched_yield, 0, 0},
           Call{"getuid", SYS_getuid, 0, 0},
           Call{"umask", SYS_umask, 077, 0},
           Call{"ask for the personality", SYS_personality, 0xffffffff, 0},
           Call{"socket", SYS_socket, AF_UNIX, SOCK_STREAM},
       })
    EXPECT_EQ(error_of(*filters, call), 0) << call.name;
  // Allowed calls reach the kernel's own error.
  EXPECT_EQ(error_of(*filters, {"openat2", SYS_openat2, -1, 0}), EINVAL);
  EXPECT_EQ(error_of(*filters, {"ioctl", SYS_ioctl, -1, FIONREAD}), EBADF);
  EXPECT_EQ(error_of(*filters, {"clone", SYS_clone, CLONE_SIGHAND, 0}), EINVAL);

  for (const Call& call : {
           Call{"mount", SYS_mount, 0, 0},
           Call{"unshare", SYS_unshare, CLONE_NEWUSER, 0},
           Call{"setns", SYS_setns, -1, 0},
           Call{"clone of a namespace", SYS_clone, CLONE_NEWUSER | CLONE_SIGHAND, 0},
           Call{"clone of two", SYS_clone, CLONE_NEWNET | CLONE_NEWNS | CLONE_SIGHAND, 0},
           Call{"ptrace", SYS_ptrace, -1, 0},
           Call{"keyctl", SYS_keyctl, -1, 0},
           Call{"bpf", SYS_bpf, -1, 0},
           Call{"perf_event_open", SYS_perf_event_open, 0, 0},
           Call{"io_uring_setup", SYS_io_uring_setup, 0, 0},
           Call{"userfaultfd", SYS_userfaultfd, -1, 0},
           Call{"kexec_load", SYS_kexec_load, 0, -1},
           Call{"init_module", SYS_init_module, 0, 0},
           Call{"chroot", SYS_chroot, 0, 0},
           Call{"type into a terminal", SYS_ioctl, -1, TIOCSTI},
           Call{"the same in 64 bits", SYS_ioctl, -1, (1L << 32) | TIOCSTI},
       })
    EXPECT_EQ(error_of(*filters, call), EPERM) << call.name;
  for (const Call& call : {
           Call{"clone3", SYS_clone3, 0, 0},
           Call{"fanotify_mark", SYS_fanotify_mark, -1, 0},
           Call{"another personality", SYS_personality, 0x0400000, 0},
           Call{"a call of tomorrow", 1000, 0, 0},
       })
    EXPECT_EQ(error_of(*filters, call), ENOSYS) << call.name;
  EXPECT_EQ(error_of(*filters, {"packets", SYS_socket, AF_PACKET, SOCK_RAW}), EAFNOSUPPORT);
}

TEST(Filter, IsAlwaysTheSame) {
  const auto one = system_call_filters(), other = system_call_filters();
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->allowed, other->allowed);
  EXPECT_EQ(one->refused, other->refused);
  EXPECT_EQ(one->allowed.size() % 8, 0u) << "instructions of eight bytes";
  EXPECT_TRUE(std::is_sorted(internal::kAllowedCalls.begin(), internal::kAllowedCalls.end(),
                             [](std::string_view a, std::string_view b) { return a < b; }));
}

}  // namespace
}  // namespace portico::fnrun
