// Identifies the process that requested a container, to detect when it has died.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace portico::fnrun::internal {

/// The container label that contains the text of its ContainerOwner.
inline constexpr std::string_view kAskerLabel = "portico.asker";

/// Identifies a process uniquely: PIDs are reused, with another start time, in another PID
/// namespace or after a reboot.
struct ContainerOwner {
  std::string boot;       // boot id of the kernel (/proc/sys/kernel/random/boot_id)
  std::string processes;  // PID namespace of `pid` (/proc/self/ns/pid)
  int pid = 0;
  std::uint64_t started = 0;  // in clock ticks since boot
  bool operator==(const ContainerOwner&) const = default;
};

/// Identifies this process.
ContainerOwner own_asker();
std::string text_of(const ContainerOwner& asker);
/// nullopt if `text` was not produced by text_of().
std::optional<ContainerOwner> parse_asker(std::string_view text);

/// The start time in the text of /proc/PID/stat; nullopt for any other text.
std::optional<std::uint64_t> start_in(std::string_view stat);
/// Whether a process with this PID and start time exists, or may exist: if the system does not show
/// it, it is assumed to be alive.
bool is_alive(int pid, std::uint64_t started);

/// From lines "ID TEXT", one per container, returns the ids of those whose ContainerOwner has died.
/// Containers of another boot, machine or namespace cannot be checked and are skipped, as are
/// malformed lines. Pure except for `alive`.
std::vector<std::string> left_behind(std::string_view lines, const ContainerOwner& own,
                                     const std::function<bool(int, std::uint64_t)>& alive);

}  // namespace portico::fnrun::internal
