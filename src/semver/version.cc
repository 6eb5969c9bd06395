#include "semver/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "semver/internal/parts.h"

namespace portico::semver {

using internal::has_only;
using internal::kDigits;
using internal::kIdentifierChars;
using internal::leads_with_zero;
using internal::number;
using internal::prerelease_of;
using internal::split;

namespace internal {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t at = text.find(mark);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::vector<std::string>> prerelease_of(std::string_view tail) {
  const auto is_identifier = [](std::string_view text) {
    return !text.empty() && has_only(text, kIdentifierChars);
  };
  if (const std::size_t plus = tail.find('+'); plus != std::string_view::npos) {
    for (const std::string_view one : split(tail.substr(plus + 1), '.'))
      if (!is_identifier(one)) return std::nullopt;
    tail = tail.substr(0, plus);
  }
  std::vector<std::string> out;
  if (tail.empty()) return out;
  if (tail[0] != '-') return std::nullopt;
  for (const std::string_view one : split(tail.substr(1), '.')) {
    if (!is_identifier(one) || (leads_with_zero(one) && has_only(one, kDigits)))
      return std::nullopt;
    out.emplace_back(one);
  }
  return out;
}

}  // namespace internal

namespace {

constexpr std::size_t kLongest = 256;  // longer texts are not versions

/// Numbers come before words. Neither strict nor loose versions have leading zeros here, so the
/// longer of two numbers is the greater.
std::strong_ordering order(const std::string& a, const std::string& b) {
  const bool a_number = has_only(a, kDigits), b_number = has_only(b, kDigits);
  if (a_number != b_number)
    return a_number ? std::strong_ordering::less : std::strong_ordering::greater;
  if (a_number && a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

/// Parses one of the three numbers, called `name` in messages.
Result<std::uint64_t> strict_number(std::string_view text, std::string name, Quote quote) {
  if (!has_only(text, kDigits))
    return invalid("Invalid character(s) found in {} number {}", name, quote(text));
  if (leads_with_zero(text)) {
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return invalid("{} number must not contain leading zeroes {}", name, quote(text));
  }
  const auto value = number(text);
  if (!value)
    return invalid("strconv.ParseUint: parsing {}: {}", quote(text),
                   text.empty() ? "invalid syntax" : "value out of range");
  return *value;
}

Result<std::vector<std::string>> strict_prerelease(std::string_view text, Quote quote) {
  std::vector<std::string> out;
  for (const std::string_view part : split(text, '.')) {
    if (part.empty()) return invalid("Prerelease is empty");
    if (has_only(part, kDigits) && leads_with_zero(part))
      return invalid("Numeric PreRelease version must not contain leading zeroes {}", quote(part));
    if (!has_only(part, kIdentifierChars))
      return invalid("Invalid character(s) found in prerelease {}", quote(part));
    if (has_only(part, kDigits) && !number(part))
      return invalid("strconv.ParseUint: parsing {}: value out of range", quote(part));
    out.emplace_back(part);
  }
  return out;
}

Result<Done> check_build(std::string_view text, Quote quote) {
  for (const std::string_view part : split(text, '.')) {
    if (part.empty()) return invalid("Build meta data is empty");
    if (!has_only(part, kIdentifierChars))
      return invalid("Invalid character(s) found in build meta data {}", quote(part));
  }
  return Done{};
}

/// Like split, but everything after the second '.' is one part.
std::vector<std::string> three_parts(std::string_view text) {
  std::vector<std::string> out;
  while (out.size() < 2 && text.find('.') != std::string_view::npos) {
    out.emplace_back(text.substr(0, text.find('.')));
    text.remove_prefix(text.find('.') + 1);
  }
  out.emplace_back(text);
  return out;
}

}  // namespace

std::strong_ordering Version::operator<=>(const Version& other) const {
  if (const auto order = major <=> other.major; order != 0) return order;
  if (const auto order = minor <=> other.minor; order != 0) return order;
  if (const auto order = patch <=> other.patch; order != 0) return order;
  if (is_release() || other.is_release())
    return is_release() <=> other.is_release();  // a release comes after all its prereleases
  for (std::size_t i = 0; i < prerelease.size() && i < other.prerelease.size(); ++i)
    if (const auto each = order(prerelease[i], other.prerelease[i]); each != 0) return each;
  return prerelease.size() <=> other.prerelease.size();
}

std::string Version::text() const {
  std::string out = fmt::format("{}.{}.{}", major, minor, patch);
  for (std::size_t i = 0; i < prerelease.size(); ++i) out += (i == 0 ? "-" : ".") + prerelease[i];
  return out;
}

std::optional<Version> parse_version(std::string_view text) {
  if (text.size() > kLongest) return std::nullopt;
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::size_t end = std::min(text.find_first_of("-+"), text.size());
  Version out;
  auto prerelease = prerelease_of(text.substr(end));
  if (!prerelease) return std::nullopt;
  out.prerelease = *std::move(prerelease);
  const std::vector<std::string_view> numbers = split(text.substr(0, end), '.');
  if (numbers.size() > 3) return std::nullopt;
  std::uint64_t* const parts[] = {&out.major, &out.minor, &out.patch};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto value = number(numbers[i]);
    if (!value) return std::nullopt;
    *parts[i] = *value;
  }
  return out;
}

std::string in_quotes(std::string_view part) { return fmt::format("\"{}\"", part); }

Result<Version> parse_strict(std::string_view text, Quote quote) {
  if (text.empty()) return invalid("Version string empty");
  const std::vector<std::string> parts = three_parts(text);
  if (parts.size() != 3) return invalid("No Major.Minor.Patch elements found");
  Version out;
  PORTICO_TRY(out.major, strict_number(parts[0], "major", quote));
  PORTICO_TRY(out.minor, strict_number(parts[1], "minor", quote));
  std::string_view patch = parts[2];
  std::optional<std::string_view> build, prerelease;
  if (const std::size_t plus = patch.find('+'); plus != std::string_view::npos) {
    build = patch.substr(plus + 1);
    patch = patch.substr(0, plus);
  }
  if (const std::size_t dash = patch.find('-'); dash != std::string_view::npos) {
    prerelease = patch.substr(dash + 1);
    patch = patch.substr(0, dash);
  }
  PORTICO_TRY(out.patch, strict_number(patch, "patch", quote));
  if (prerelease) {
    PORTICO_TRY(out.prerelease, strict_prerelease(*prerelease, quote));
  }
  if (build) PORTICO_DO(check_build(*build, quote));
  return out;
}

Result<Version> parse_normalized(std::string_view text, Quote quote) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> parts = three_parts(text);
  for (std::string& part : parts)
    while (leads_with_zero(part) && kDigits.find(part[1]) != std::string_view::npos)
      part.erase(0, 1);
  if (parts.size() < 3 && parts.back().find_first_of("+-") != std::string::npos)
    return invalid("short version cannot contain PreRelease/Build meta data");
  while (parts.size() < 3) parts.emplace_back("0");
  return parse_strict(fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]), quote);
}

}  // namespace portico::semver
