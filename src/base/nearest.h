// Which word was meant: for error texts.
#pragma once

#include <span>
#include <string_view>

namespace portico {

/// The one of `words` that differs least from `written`: letters missing, too many, wrong or
/// swapped, and upper for lower case. "" where none is near: a third of the letters may differ, and
/// always one. Of equally near words the first. For short words and lists: time grows with the
/// product of all lengths; what is longer than 64 bytes is near nothing.
std::string_view nearest(std::string_view written, std::span<const std::string_view> words);

}  // namespace portico
