#include "terminal/keys.h"

#include <algorithm>
#include <utility>

namespace portico::terminal {
namespace {

constexpr char kEscapeByte = '\x1b';

// The length of the escape sequence at the front of `bytes`; they begin with ESC and have more.
std::size_t sequence_length(std::string_view bytes) {
  if (bytes[1] == 'O') return std::min<std::size_t>(3, bytes.size());
  if (bytes[1] != '[') return 2;
  for (std::size_t at = 2; at < bytes.size(); ++at)
    if (bytes[at] >= '@' && bytes[at] <= '~') return at + 1;
  return bytes.size();
}

}  // namespace

std::vector<Press> presses(std::string_view bytes) {
  static constexpr std::pair<std::string_view, Key> kNamed[] = {
      {"[A", Key::kUp},   {"[B", Key::kDown}, {"[5~", Key::kPageUp}, {"[6~", Key::kPageDown},
      {"[H", Key::kHome}, {"[F", Key::kEnd},  {"OA", Key::kUp},      {"OB", Key::kDown}};
  std::vector<Press> out;
  while (!bytes.empty()) {
    std::size_t length = 1;
    if (bytes.front() == '\r' || bytes.front() == '\n') {
      out.push_back({Key::kEnter, '\0'});
    } else if (bytes.front() != kEscapeByte) {
      out.push_back({Key::kCharacter, bytes.front()});
    } else if (bytes.size() == 1) {
      out.push_back({Key::kEscape, '\0'});
    } else {
      length = sequence_length(bytes);
      for (const auto& [sequence, key] : kNamed)
        if (bytes.substr(1, length - 1) == sequence) out.push_back({key, '\0'});
    }
    bytes.remove_prefix(length);
  }
  return out;
}

}  // namespace portico::terminal
