#include "fnrun/internal/container_owner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <iterator>

namespace portico::fnrun::internal {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// A word of letters, digits and '-', as in boot and namespace ids.
bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-';
  });
}

}  // namespace

ContainerOwner own_asker() {
  ContainerOwner out;
  out.boot = read_file("/proc/sys/kernel/random/boot_id");
  out.boot.erase(out.boot.find_last_not_of('\n') + 1);
  // "pid:[4026531836]"
  std::array<char, 64> link{};
  if (const ssize_t size = ::readlink("/proc/self/ns/pid", link.data(), link.size()); size > 0) {
    const std::string_view text(link.data(), static_cast<std::size_t>(size));
    std::copy_if(text.begin(), text.end(), std::back_inserter(out.processes),
                 [](unsigned char c) { return std::isdigit(c) != 0; });
  }
  out.pid = ::getpid();
  out.started = start_in(read_file("/proc/self/stat")).value_or(0);
  return out;
}

std::string text_of(const ContainerOwner& asker) {
  return fmt::format("{}/{}/{}/{}", asker.boot, asker.processes, asker.pid, asker.started);
}

std::optional<ContainerOwner> parse_asker(std::string_view text) {
  std::array<std::string_view, 4> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t end = text.find('/');
    if ((end == std::string_view::npos) != (i + 1 == parts.size())) return std::nullopt;
    parts.at(i) = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), parts.at(i).size() + 1));
  }
  const auto pid = number_of<int>(parts[2]);
  const auto started = number_of<std::uint64_t>(parts[3]);
  if (!is_word(parts[0]) || !is_word(parts[1]) || !pid || *pid <= 0 || !started)
    return std::nullopt;
  return ContainerOwner{std::string(parts[0]), std::string(parts[1]), *pid, *started};
}

std::optional<std::uint64_t> start_in(std::string_view stat) {
  // "PID (NAME) S ...": the name may contain anything; the start time is the 20th word after it.
  constexpr int kWord = 20;
  const std::size_t name_end = stat.rfind(") ");
  if (name_end == std::string_view::npos) return std::nullopt;
  stat.remove_prefix(name_end + 2);
  for (int word = 1; word < kWord; ++word) {
    const std::size_t end = stat.find(' ');
    if (end == std::string_view::npos) return std::nullopt;
    stat.remove_prefix(end + 1);
  }
  return number_of<std::uint64_t>(stat.substr(0, stat.find(' ')));
}

bool is_alive(int pid, std::uint64_t started) {
  if (::kill(pid, 0) != 0 && errno == ESRCH) return false;
  const auto now = start_in(read_file(fmt::format("/proc/{}/stat", pid)));
  return !now || *now == started;
}

std::vector<std::string> left_behind(std::string_view lines, const ContainerOwner& own,
                                     const std::function<bool(int, std::uint64_t)>& alive) {
  std::vector<std::string> out;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || !is_word(line.substr(0, blank)) || line[0] == '-')
      continue;
    const auto asker = parse_asker(line.substr(blank + 1));
    if (!asker || asker->boot != own.boot || asker->processes != own.processes) continue;
    if (!alive(asker->pid, asker->started)) out.emplace_back(line.substr(0, blank));
  }
  return out;
}

}  // namespace portico::fnrun::internal
