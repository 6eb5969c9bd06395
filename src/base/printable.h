// Makes untrusted text safe to show on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace portico {

/// Escapes everything in `text` that a terminal would interpret instead of showing: control
/// characters as "\x1b", bidirectional controls as "\u202e", bytes that are not UTF-8 as "\xff".
/// Line feeds and tabs stay. With `colours`, the sequences that set one of the eight colors, bold
/// or dim, or that reset them, stay as well.
std::string printable(std::string_view text, bool colours = false);

}  // namespace portico
