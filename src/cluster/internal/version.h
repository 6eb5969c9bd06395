// resourceVersions as text: those that are numbers have an order. Pure.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace portico::cluster {

/// 0 where it is none.
inline std::uint64_t version_number(std::string_view text) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() ? out : 0;
}

/// What is no number is not older than anything.
inline bool is_older_version(std::string_view a, std::string_view b) {
  const std::uint64_t first = version_number(a), second = version_number(b);
  return first != 0 && second != 0 && first < second;
}

}  // namespace portico::cluster
