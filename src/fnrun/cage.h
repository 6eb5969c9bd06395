// The cage that a program runs in as a function: what it sees of this machine, and what it may ask
// of the kernel. docs/security.md says what it holds back and what it does not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace portico::fnrun {

struct Cage {
  bool network = false;                        // with the network of this machine after all
  std::vector<std::string> mounts;             // type=bind,src=PATH,dst=PATH[,rw=true]
  std::uint64_t temporary_bytes = 256u << 20;  // of /tmp and of /var/tmp, each
  int processes = 1024;                        // at one time, threads counted
};

struct Caged {
  std::vector<std::string> argv;
  std::vector<Fd> open;  // that argv names by their numbers: for one run
};

/// The command line that runs `argv` in the cage: bubblewrap with a new root of /usr, what programs
/// need of /etc, the program's own file and the mounts; namespaces of its own for users, processes,
/// IPC, host name, network and cgroups; no capability, no new privileges. Started by root it runs
/// as the user "nobody" (65534), who gets a copy of a program that is root's alone. kInvalid for a
/// mount that is not one, kNotFound for one of what is not there.
Result<Caged> caged(const std::vector<std::string>& argv, const Cage& cage);

/// Seccomp programs (BPF), to be loaded one after the other; the strictest answer counts.
struct SystemCallFilters {
  /// Lets through what internal/allowed_calls.h names; for all else, also what kernels of tomorrow
  /// bring, ENOSYS: C libraries then do it in another way.
  std::string allowed;
  /// Refuses with EPERM what programs should be told about: mounts, namespaces, kernel modules,
  /// keyrings, tracing, clocks, bpf, io_uring and so on; and by their arguments calls that are
  /// allowed otherwise.
  std::string refused;
};
/// kUnavailable where libseccomp cannot make them.
Result<SystemCallFilters> system_call_filters();

}  // namespace portico::fnrun
