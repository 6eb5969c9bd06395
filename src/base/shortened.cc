#include "base/shortened.h"

#include <fmt/format.h>

#include <algorithm>

namespace portico {

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  constexpr std::size_t kEnd = 32;  // "... (18446744073709551 kB more)"
  std::size_t kept = std::max(most, kEnd) - kEnd;
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  constexpr std::size_t kLongest = 4;  // bytes of a character
  std::size_t start = kept;
  while (start > 0 && kept - start < kLongest && continues(start)) --start;
  if (!continues(start)) kept = start;
  return fmt::format("{}... ({} kB more)", text.substr(0, kept), (text.size() - kept + 999) / 1000);
}

}  // namespace portico
