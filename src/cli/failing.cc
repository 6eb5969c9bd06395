#include "cli/failing.h"

#include <algorithm>

#include "resources/resources.h"
#include "resources/state.h"

namespace portico::cli {

using json::Value;

void print_failing(const std::vector<Value>& failing, std::string_view now, Terminal& terminal) {
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < std::min(failing.size(), kShown); ++i) {
    const std::string tries = resources::tries_of(failing[i], now);
    terminal.print("{} {}{}\n", terminal.paint(Colour::kRed, resources::name_line(failing[i])),
                   resources::state_of(failing[i]),
                   tries.empty() ? "" : fmt::format(" ({})", tries));
  }
  if (failing.size() > kShown) terminal.print("... and {} more\n", failing.size() - kShown);
}

}  // namespace portico::cli
