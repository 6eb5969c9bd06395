#include "engine/turn.h"

#include <fstream>
#include <iterator>
#include <string>

namespace portico::engine {

namespace {

// " (portico apply -f fleet.yaml)"; "" if unknown.
std::string command_of(const std::string& process) {
  std::ifstream file("/proc/" + process + "/cmdline", std::ios::binary);
  std::string line((std::istreambuf_iterator<char>(file)), {});
  while (!line.empty() && line.back() == '\0') line.pop_back();
  if (line.empty()) return "";
  for (char& c : line)
    if (c == '\0' || c == '\n') c = ' ';
  constexpr std::size_t kLongest = 120;
  if (line.size() > kLongest) line = line.substr(0, kLongest) + "...";
  return " (" + line + ")";
}

}  // namespace

store::Turn turn_of(const Context& context, std::function<bool()> give_way) {
  return {.until = context.deadline.at(),
          .waiting =
              [&terminal = context.terminal](const std::string& holder) {
                terminal.note(fmt::format("waiting for process {}{}, which is using this folder\n",
                                          holder, command_of(holder)));
              },
          .give_way = std::move(give_way)};
}

}  // namespace portico::engine
