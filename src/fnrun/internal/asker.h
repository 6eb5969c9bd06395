// Which process asked for a container, so that others can tell when it is gone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace portico::fnrun::internal {

/// The label of a container that has the text of its Asker.
inline constexpr std::string_view kAskerLabel = "portico.asker";

/// A process for good: numbers come again, with another start, in another namespace of processes or
/// after another boot.
struct Asker {
  std::string boot;       // of the kernel (/proc/sys/kernel/random/boot_id)
  std::string processes;  // the namespace of `pid` (/proc/self/ns/pid)
  int pid = 0;
  std::uint64_t started = 0;  // clock ticks after the boot
  bool operator==(const Asker&) const = default;
};

/// This process.
Asker own_asker();
std::string text_of(const Asker& asker);
/// Nothing for what text_of() does not give.
std::optional<Asker> parse_asker(std::string_view text);

/// The start of the process as /proc/PID/stat has it; nothing for another text.
std::optional<std::uint64_t> start_in(std::string_view stat);
/// Whether a process with this number and start is there, or may be: where the system does not
/// show it, it is taken for alive.
bool is_alive(int pid, std::uint64_t started);

/// Of lines "ID TEXT", one for each container, the ids of those whose Asker is gone. Of another
/// boot, machine or namespace nobody here can tell; they are left alone, and so is what is no such
/// line. Pure, but for `alive`.
std::vector<std::string> left_behind(std::string_view lines, const Asker& own,
                                     const std::function<bool(int, std::uint64_t)>& alive);

}  // namespace portico::fnrun::internal
