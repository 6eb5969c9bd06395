#include "functions/internal/text_format.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "base/time.h"

namespace portico::functions {

namespace {

bool matches(std::string_view text, const char* pattern) {
  const re2::RE2 regex(pattern);
  return re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), regex);
}

constexpr char kIpv4[] =
    R"((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3})";

bool is_ipv4(std::string_view text) { return matches(text, kIpv4); }

/// Groups of hexadecimal digits, one "::" for the missing zero groups, and optionally an IPv4
/// address at the end.
bool is_ipv6(std::string_view text) {
  constexpr std::size_t kGroups = 8;
  if (text.find(':') == std::string_view::npos) return false;
  const std::size_t gap = text.find("::");
  const bool has_gap = gap != std::string_view::npos;
  if (has_gap && text.find("::", gap + 1) != std::string_view::npos) return false;
  std::size_t groups = 0;
  const auto count = [&groups](std::string_view part, bool is_last) {
    if (part.empty()) return true;
    for (;;) {
      const std::size_t colon = part.find(':');
      const std::string_view group = part.substr(0, colon);
      const bool ends = colon == std::string_view::npos;
      if (ends && is_last && is_ipv4(group)) {
        groups += 2;
      } else if (matches(group, "[0-9a-fA-F]{1,4}")) {
        ++groups;
      } else {
        return false;
      }
      if (ends) return true;
      part.remove_prefix(colon + 1);
    }
  };
  if (!has_gap) return count(text, true) && groups == kGroups;
  return count(text.substr(0, gap), false) && count(text.substr(gap + 2), true) && groups < kGroups;
}

bool is_cidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view address = text.substr(0, slash), bits = text.substr(slash + 1);
  if (is_ipv4(address)) return matches(bits, "3[0-2]|[12]?[0-9]");
  return is_ipv6(address) && matches(bits, "12[0-8]|1[01][0-9]|[1-9]?[0-9]");
}

bool is_base64(std::string_view text) {
  return text.size() % 4 == 0 && matches(text, "[A-Za-z0-9+/]*={0,2}");
}

bool is_date_time(std::string_view text) {
  return matches(text,
                 R"(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2}))") &&
         bool(parse_rfc3339(std::string(text.substr(0, 10)) + "T" + std::string(text.substr(11))));
}

bool is_date(std::string_view text) {
  return matches(text, R"(\d{4}-\d{2}-\d{2})") &&
         bool(parse_rfc3339(std::string(text) + "T00:00:00Z"));
}

constexpr char kDuration[] =
    R"([+-]?(0|([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*))";
constexpr char kHostname[] =
    R"([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\.?)";

}  // namespace

bool has_format(std::string_view text, std::string_view format) {
  if (format == "ipv4") return is_ipv4(text);
  if (format == "ipv6") return is_ipv6(text);
  if (format == "cidr") return is_cidr(text);
  if (format == "byte") return is_base64(text);
  if (format == "date-time" || format == "datetime") return is_date_time(text);
  if (format == "date") return is_date(text);
  static constexpr std::array<std::pair<std::string_view, const char*>, 7> kPatterns = {{
      {"duration", kDuration},
      {"hostname", kHostname},
      {"mac", "([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}"},
      {"uuid", "[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}"},
      {"email", R"([^@\s]+@[^@\s]+)"},
      {"uri", R"([a-zA-Z][a-zA-Z0-9+.-]*:[^\s]*|/[^\s]*)"},
      {"hexcolor", "#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})"},
  }};
  for (const auto& [name, pattern] : kPatterns)
    if (format == name) return matches(text, pattern);
  return true;
}

}  // namespace portico::functions
