// Text of others, made safe to show on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace portico {

/// `text` with everything that a terminal would obey instead of showing it spelled out: control
/// characters as "\x1b", what changes the direction of writing and bytes that are not UTF-8 as
/// "\u202e" and "\xff". Line feeds and tabs stay. With `colours`, the sequences that set one of the
/// eight colours, bold, dim or nothing stay as well.
std::string printable(std::string_view text, bool colours = false);

}  // namespace portico
