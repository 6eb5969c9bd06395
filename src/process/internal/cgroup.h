// A cgroup (version 2) for one program and all that it starts, where this process may make one.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/fd.h"

namespace portico::process {

struct CgroupLimits {
  std::uint64_t memory_bytes = 0;  // of all together, without swap; 0: no limit
  int processes = 0;               // at one time, threads counted; 0: no limit
};

/// Where the cgroup of this process is, by /proc/self/mountinfo and /proc/self/cgroup: the folder;
/// "" where there is no hierarchy of version 2. Pure.
std::string own_cgroup(std::string_view mountinfo, std::string_view membership);

/// Below which folder cgroups for programs are made, for a process in the cgroup `own`; "" where
/// none may be. A cgroup in which a process is cannot limit those below it, but for the root's. So
/// where `own` was given to this process alone (systemd's Delegate=yes), the process moves into a
/// cgroup "portico" below it first. Safe to ask again, and from any thread.
std::string cgroup_base(const std::string& own);

/// Exists until it is destroyed; then whatever is left in it is killed and gone. Not safe from
/// several threads.
class Cgroup {
 public:
  /// Below `base`. Nothing where none can be made. What a killed process of ours left there is
  /// removed.
  static std::optional<Cgroup> make(const std::string& base, const CgroupLimits& limits);
  Cgroup(Cgroup&& other) noexcept
      : path_(std::exchange(other.path_, {})),
        members_(std::move(other.members_)),
        limits_memory_(other.limits_memory_) {}
  Cgroup& operator=(Cgroup&&) = delete;
  ~Cgroup();

  const std::string& path() const { return path_; }
  /// Whoever writes "0" there is in it from then on.
  int members() const { return members_.get(); }
  /// Whether memory_bytes holds; not where the memory of this machine is accounted otherwise.
  bool limits_memory() const { return limits_memory_; }
  bool is_populated() const;
  /// Whether something in it was killed because there was too much of it.
  bool ran_out_of_memory() const;
  /// Kills all that is in it, whatever they started meanwhile, and waits for their end, `most` at
  /// most.
  void kill(std::chrono::milliseconds most);

 private:
  Cgroup(std::string path, Fd members) : path_(std::move(path)), members_(std::move(members)) {}

  std::string path_;
  Fd members_;
  bool limits_memory_ = false;
};

}  // namespace portico::process
