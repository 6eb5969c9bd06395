// The sandbox for programs that run as functions: limits what they see of this machine and which
// system calls they may make. docs/security.md lists what it prevents and what it does not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace portico::fnrun {

struct Sandbox {
  bool network = false;                        // keep this machine's network
  std::vector<std::string> mounts;             // type=bind,src=PATH,dst=PATH[,rw=true]
  std::uint64_t temporary_bytes = 256u << 20;  // of /tmp, /var/tmp and /dev/shm, each
  int processes = 1024;                        // concurrent, including threads
};

struct Caged {
  std::vector<std::string> argv;
  std::vector<Fd> open;  // referenced by number in argv; for a single run
};

/// Returns the command line that runs `argv` in the sandbox: bubblewrap with a new root of /usr,
/// the parts of /etc that programs need, the program's own file and the mounts; its own namespaces
/// for users, processes, IPC, host name, network and cgroups; no capabilities, no new privileges.
/// If started by root it runs as the user "nobody" (65534), and a program that only root can read
/// is copied for it. kInvalid for a malformed mount, kNotFound if a mount's source does not exist.
Result<Caged> caged(const std::vector<std::string>& argv, const Sandbox& cage);

/// Seccomp programs (BPF), to be loaded one after the other; the strictest result applies.
struct SystemCallFilters {
  /// Allows the calls in internal/allowed_calls.h. All others, including those of future kernels,
  /// fail with ENOSYS, so that C libraries use an alternative.
  std::string allowed;
  /// Refuses with EPERM calls that programs should see denied: mounts, namespaces, kernel modules,
  /// keyrings, tracing, clocks, bpf, io_uring and so on; also allowed calls with certain arguments.
  std::string refused;
};
/// kUnavailable if libseccomp cannot create them.
Result<SystemCallFilters> system_call_filters();

}  // namespace portico::fnrun
