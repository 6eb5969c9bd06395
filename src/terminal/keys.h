// Keys as a terminal sends them. Pure.
#pragma once

#include <string_view>
#include <vector>

namespace portico::terminal {

enum class Key { kUp, kDown, kPageUp, kPageDown, kHome, kEnd, kEnter, kEscape, kCharacter };
struct Press {
  Key key = Key::kCharacter;
  char character = '\0';
  bool operator==(const Press&) const = default;
};

/// Decodes the bytes of one read into key presses. An ESC at their end is Escape. Sequences of
/// other keys (ECMA-48 CSI and SS3, and ESC before a character for Alt) are skipped whole.
std::vector<Press> presses(std::string_view bytes);

}  // namespace portico::terminal
