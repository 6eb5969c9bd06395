// Texts of others that may be long, cut to what can be stored or read. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace portico {

/// `text` where it has `most` bytes at most; else its beginning, between characters, and how much
/// was left out: "render: xxx... (967 kB more)", in `most` bytes, 32 at least. What must not be
/// seen (secrets.h) is taken out before: half of a credential is not known for one.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace portico
