// Shortens untrusted texts to a length that can be stored or read. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace portico {

/// `text` if it has at most `most` bytes. Otherwise its beginning, cut between characters, and the
/// size of the rest: "render: xxx... (967 kB more)", within `most` bytes or 32, whichever is
/// larger. Remove secrets (secrets.h) first: half a credential is no longer recognized as one.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace portico
