// resourceVersions as text; those that are numbers are ordered. Pure.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace portico::cluster {

/// 0 if the text is not a number.
inline std::uint64_t version_number(std::string_view text) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() ? out : 0;
}

/// Whether the resourceVersions of an object have an order, as those of kube-apiserver do.
inline bool is_ordered_version(std::string_view text) { return version_number(text) != 0; }

/// False if either one is not a number.
inline bool is_older_version(std::string_view a, std::string_view b) {
  const std::uint64_t first = version_number(a), second = version_number(b);
  return first != 0 && second != 0 && first < second;
}

}  // namespace portico::cluster
