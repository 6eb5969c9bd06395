// A cgroup (version 2) for one program and its descendants, if this process may create one.
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
  std::uint64_t memory_bytes = 0;  // of all processes together, without swap; 0: no limit
  int processes = 0;               // at one time, including threads; 0: no limit
};

/// The folder of this process's cgroup, from /proc/self/mountinfo and /proc/self/cgroup; "" without
/// a version 2 hierarchy. Pure.
std::string own_cgroup(std::string_view mountinfo, std::string_view membership);

/// The folder in which a process in the cgroup `own` creates cgroups for programs; "" if it may
/// not. A cgroup that contains processes cannot limit its children, unless it is the root. If `own`
/// is delegated to this process alone (systemd's Delegate=yes), the process therefore first moves
/// into a child cgroup "portico". Idempotent and thread-safe.
std::string cgroup_base(const std::string& own);

/// Destroying it kills all processes in the cgroup and removes it. Not thread-safe.
class Cgroup {
 public:
  /// Creates a cgroup below `base`; nullopt if that fails. Removes cgroups there whose creator
  /// process is gone.
  static std::optional<Cgroup> make(const std::string& base, const CgroupLimits& limits);
  Cgroup(Cgroup&& other) noexcept
      : path_(std::exchange(other.path_, {})),
        members_(std::move(other.members_)),
        limits_memory_(other.limits_memory_) {}
  Cgroup& operator=(Cgroup&&) = delete;
  ~Cgroup();

  const std::string& path() const { return path_; }
  /// A process that writes "0" to this descriptor joins the cgroup.
  int members() const { return members_.get(); }
  /// Whether memory_bytes is enforced; false if the memory controller is not available.
  bool limits_memory() const { return limits_memory_; }
  bool is_populated() const;
  /// Whether the OOM killer killed a process in it.
  bool ran_out_of_memory() const;
  /// Kills all processes in it, including new ones, and waits for their end, for `most` at most.
  void kill(std::chrono::milliseconds most);

 private:
  Cgroup(std::string path, Fd members) : path_(std::move(path)), members_(std::move(members)) {}

  std::string path_;
  Fd members_;
  bool limits_memory_ = false;
};

}  // namespace portico::process
