// Follows go-openapi's strfmt, which Kubernetes uses: what it accepts is accepted here, too.
#include "schema/internal/formats.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <vector>

namespace portico::schema::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool all(std::string_view text, bool (*of)(char)) {
  return std::all_of(text.begin(), text.end(), of);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(by, begin);
    out.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return out;
    begin = end + 1;
  }
}

/// `text` as a number, if it consists of digits only; otherwise -1.
int number(std::string_view text) {
  int out = -1;
  if (text.empty() || text.size() > 9 || !all(text, is_digit)) return -1;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int year = number(text.substr(0, 4)), month = number(text.substr(5, 2));
  const int day = number(text.substr(8));
  if (year < 0 || month < 1 || month > 12 || day < 1) return false;
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day <= kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

bool is_zone(std::string_view text) {
  if (text == "z") return true;
  return text.size() == 6 && (text[0] == '+' || text[0] == '-') && text[3] == ':' &&
         number(text.substr(1, 2)) >= 0 && number(text.substr(4)) >= 0;
}

bool is_date_time(std::string_view written) {
  const std::string text = lower(written);
  const std::size_t t = text.find('t');
  if (t == std::string::npos || !is_date(std::string_view(text).substr(0, t))) return false;
  std::string_view time = std::string_view(text).substr(t + 1);
  if (time.size() < 9 || time[2] != ':' || time[5] != ':') return false;
  const int hour = number(time.substr(0, 2)), minute = number(time.substr(3, 2));
  const int second = number(time.substr(6, 2));
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return false;
  time.remove_prefix(8);
  if (time.front() == '.') {
    time.remove_prefix(1);
    const auto end = std::find_if_not(time.begin(), time.end(), is_digit);
    if (end == time.begin()) return false;
    time.remove_prefix(static_cast<std::size_t>(end - time.begin()));
  }
  return is_zone(time);
}

bool is_unit(std::string_view unit) {
  constexpr std::array<std::string_view, 20> kExact = {
      "ns",  "nano", "us", "µs",   "micro", "ms",  "milli", "s",  "sec",  "m",
      "min", "h",    "hr", "hour", "d",     "day", "w",     "wk", "week", ""};
  if (unit.empty()) return false;
  const std::string text = lower(unit);
  if (std::find(kExact.begin(), kExact.end(), text) != kExact.end()) return true;
  constexpr std::array<std::string_view, 8> kLong = {"nano", "micro", "milli", "sec",
                                                     "min",  "hour",  "day",   "week"};
  return std::any_of(kLong.begin(), kLong.end(),
                     [&](std::string_view each) { return text.starts_with(each); });
}

/// Go's durations ("1h30m", "1.5h", "-2s", "0"), or a whole number with a unit: "2w", "1 day".
bool is_duration(std::string_view text) {
  if (text == "0") return true;
  bool some = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  while (!text.empty()) {
    const auto end =
        std::find_if_not(text.begin(), text.end(), [](char c) { return is_digit(c) || c == '.'; });
    if (end == text.begin()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    const auto unit = std::find_if(text.begin(), text.end(),
                                   [](char c) { return is_digit(c) || c == '.' || c == ' '; });
    const auto size = static_cast<std::size_t>(unit - text.begin());
    if (!is_unit(text.substr(0, size))) return false;
    some = true;
    text.remove_prefix(size);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return some;
}

/// Four numbers below 256 without leading zeros.
bool is_ipv4(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '.');
  return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
           const int value = number(part);
           return value >= 0 && value <= 255 && (part.size() == 1 || part.front() != '0');
         });
}

/// The number of 16-bit groups in "1:2:3", of which the last may be an IPv4 address; -1 if it is
/// invalid.
int ipv6_groups(std::string_view text, bool last) {
  if (text.empty()) return 0;
  const std::vector<std::string_view> parts = split(text, ':');
  int groups = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (last && i + 1 == parts.size() && is_ipv4(parts[i])) {
      groups += 2;
    } else if (parts[i].empty() || parts[i].size() > 4 || !all(parts[i], is_hex)) {
      return -1;
    } else {
      ++groups;
    }
  }
  return groups;
}

bool is_ipv6(std::string_view text) {
  const std::size_t gap = text.find("::");
  if (gap == std::string_view::npos) return ipv6_groups(text, true) == 8;
  const int before = ipv6_groups(text.substr(0, gap), false);
  const int after = ipv6_groups(text.substr(gap + 2), true);
  return before >= 0 && after >= 0 && before + after < 8;
}

bool is_cidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view address = text.substr(0, slash), bits = text.substr(slash + 1);
  if (bits.size() > 1 && bits.front() == '0') return false;
  const int size = number(bits);
  return size >= 0 && ((size <= 32 && is_ipv4(address)) || (size <= 128 && is_ipv6(address)));
}

/// "00:11:22:33:44:55", with ':' or '-', or in groups of four with '.'; 6, 8 or 20 bytes.
bool is_mac(std::string_view text) {
  const char by = text.find(':') != std::string_view::npos   ? ':'
                  : text.find('-') != std::string_view::npos ? '-'
                                                             : '.';
  const std::vector<std::string_view> groups = split(text, by);
  const std::size_t width = by == '.' ? 4 : 2, bytes = groups.size() * width / 2;
  return (bytes == 6 || bytes == 8 || bytes == 20) &&
         std::all_of(groups.begin(), groups.end(), [&](std::string_view group) {
           return group.size() == width && all(group, is_hex);
         });
}

bool is_hostname(std::string_view text) {
  if (text.empty() || text.size() > 255) return false;
  for (const std::string_view label : split(text, '.')) {
    if (label.empty() || label.size() > 63 || !is_letter(label.front()) || label.back() == '-')
      return false;
    if (!std::all_of(label.begin(), label.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '-'; }))
      return false;
  }
  return true;
}

/// A mail address as in a header: "a@b", "Name <a@b>".
bool is_email(std::string_view text) {
  if (const std::size_t open = text.find('<'); open != std::string_view::npos) {
    if (!text.ends_with('>')) return false;
    text = text.substr(open + 1, text.size() - open - 2);
  }
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) return false;
  constexpr std::string_view kSpecial = " \t\r\n()<>,;:\\\"[]@";
  const std::string_view local = text.substr(0, at), domain = text.substr(at + 1);
  const auto dots = [](std::string_view part) {
    return part.front() != '.' && part.back() != '.' && part.find("..") == std::string_view::npos;
  };
  const bool quoted = local.size() > 2 && local.front() == '"' && local.back() == '"';
  if (!quoted && (local.find_first_of(kSpecial) != std::string_view::npos || !dots(local)))
    return false;
  if (domain.front() == '[') return domain.back() == ']';
  return domain.find_first_of(kSpecial) == std::string_view::npos && dots(domain);
}

/// A request target: an absolute URI, or a path from the root.
bool is_uri(std::string_view text) {
  if (text.empty() || std::any_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) <= ' ' || c == 0x7F;
      }))
    return false;
  if (text.front() == '/' || text == "*") return true;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || !is_letter(text.front())) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
    return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
  });
}

/// With or without dashes; `version` is the UUID version digit, 0 for any.
bool is_uuid(std::string_view text, char version) {
  constexpr std::array<std::size_t, 5> kGroups = {8, 4, 4, 4, 12};
  std::string digits;
  for (std::size_t i = 0; i < kGroups.size(); ++i) {
    if (i > 0 && text.starts_with('-')) text.remove_prefix(1);
    if (text.size() < kGroups[i] || !all(text.substr(0, kGroups[i]), is_hex)) return false;
    digits += text.substr(0, kGroups[i]);
    text.remove_prefix(kGroups[i]);
  }
  if (!text.empty()) return false;
  if (version == 0) return true;
  const bool variant = std::string_view("89abAB").find(digits[16]) != std::string_view::npos;
  return digits[12] == version && (version == '3' || variant);
}

bool is_base64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return false;
  const std::size_t end = std::min(text.find('='), text.size());
  return text.size() - end <= 2 && all(text.substr(end), [](char c) { return c == '='; }) &&
         all(text.substr(0, end),
             [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '/'; });
}

std::string without_separators(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '-' && c != ' ') out += c;
  return out;
}

bool is_isbn10(std::string_view text) {
  const std::string digits = without_separators(text);
  if (digits.size() != 10) return false;
  int sum = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    const bool ten = i == 9 && digits[i] == 'X';
    if (!ten && !is_digit(digits[i])) return false;
    sum += static_cast<int>(i + 1) * (ten ? 10 : digits[i] - '0');
  }
  return sum % 11 == 0;
}

bool is_isbn13(std::string_view text) {
  const std::string digits = without_separators(text);
  if (digits.size() != 13 || !all(digits, is_digit)) return false;
  int sum = 0;
  for (std::size_t i = 0; i < 13; ++i) sum += (digits[i] - '0') * (i % 2 == 0 ? 1 : 3);
  return sum % 10 == 0;
}

bool is_credit_card(std::string_view text) {
  const std::string digits = without_separators(text);
  if (digits.size() < 13 || digits.size() > 19 || !all(digits, is_digit)) return false;
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int digit = digits[digits.size() - 1 - i] - '0';
    const int doubled = digit * 2;
    sum += i % 2 == 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 == 0;
}

bool is_ssn(std::string_view text) {
  const bool separated =
      text.size() == 11 && (text[3] == '-' || text[3] == ' ') && (text[6] == '-' || text[6] == ' ');
  return separated && all(text.substr(0, 3), is_digit) && all(text.substr(4, 2), is_digit) &&
         all(text.substr(7), is_digit);
}

bool is_hex_color(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  return (text.size() == 3 || text.size() == 6) && all(text, is_hex);
}

bool is_rgb_color(std::string_view text) {
  if (!text.starts_with("rgb(") || !text.ends_with(')')) return false;
  const auto parts = split(text.substr(4, text.size() - 5), ',');
  return parts.size() == 3 && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
           while (part.starts_with(' ')) part.remove_prefix(1);
           while (part.ends_with(' ')) part.remove_suffix(1);
           const int value = number(part);
           return value >= 0 && value <= 255;
         });
}

/// A lower-case DNS label (`dots`: a subdomain).
bool is_kubernetes_name(std::string_view text, bool dots) {
  if (text.empty() || text.size() > (dots ? 253u : 63u)) return false;
  const auto end_is_right = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); };
  for (const std::string_view label : dots ? split(text, '.') : std::vector{text}) {
    if (label.empty() || !end_is_right(label.front()) || !end_is_right(label.back())) return false;
    if (!std::all_of(label.begin(), label.end(),
                     [&](char c) { return end_is_right(c) || c == '-'; }))
      return false;
  }
  return true;
}

using Test = bool (*)(std::string_view);
constexpr std::pair<std::string_view, Test> kFormats[] = {
    {"bsonobjectid", [](std::string_view t) { return t.size() == 24 && all(t, is_hex); }},
    {"byte", is_base64},
    {"cidr", is_cidr},
    {"creditcard", is_credit_card},
    {"date", is_date},
    {"date-time", is_date_time},
    {"datetime", is_date_time},
    {"duration", is_duration},
    {"email", is_email},
    {"hexcolor", is_hex_color},
    {"hostname", is_hostname},
    {"ipv4", is_ipv4},
    {"ipv6", is_ipv6},
    {"isbn", [](std::string_view t) { return is_isbn10(t) || is_isbn13(t); }},
    {"isbn10", is_isbn10},
    {"isbn13", is_isbn13},
    {"k8s-long-name", [](std::string_view t) { return is_kubernetes_name(t, true); }},
    {"k8s-short-name", [](std::string_view t) { return is_kubernetes_name(t, false); }},
    {"mac", is_mac},
    {"password", [](std::string_view) { return true; }},
    {"rgbcolor", is_rgb_color},
    {"ssn", is_ssn},
    {"uri", is_uri},
    {"uuid", [](std::string_view t) { return is_uuid(t, 0); }},
    {"uuid3", [](std::string_view t) { return is_uuid(t, '3'); }},
    {"uuid4", [](std::string_view t) { return is_uuid(t, '4'); }},
    {"uuid5", [](std::string_view t) { return is_uuid(t, '5'); }}};

const std::pair<std::string_view, Test>* find(std::string_view format) {
  const auto* found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                   [&](const auto& each) { return each.first == format; });
  return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace

bool is_checked_format(std::string_view format) { return find(format) != nullptr; }

bool has_format(std::string_view text, std::string_view format) {
  const auto* found = find(format);
  return found == nullptr || found->second(text);
}

}  // namespace portico::schema::internal
