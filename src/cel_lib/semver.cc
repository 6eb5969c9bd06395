// Semantic versions (semver.org 2.0.0), as Kubernetes' library has them.
#include <fmt/format.h>

#include <algorithm>

#include "cel/numbers.h"
#include "cel_lib/internal/declare.h"
#include "cel_lib/libraries.h"

namespace portico::cel_lib {
namespace {

const Type kSemver = Type::opaque("kubernetes.Semver");
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kAlphanumerics =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789";

struct Version {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::vector<std::string> pre;  // build metadata has no say in anything
};

bool only(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

std::vector<std::string> split(std::string_view text, char mark) {
  std::vector<std::string> out;
  for (;;) {
    const std::size_t at = text.find(mark);
    out.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

bool leads_with_zero(std::string_view text) { return text.size() > 1 && text[0] == '0'; }

// An empty text where all is well.
std::string read_number(std::string_view text, std::string_view name, std::uint64_t& out) {
  if (!only(text, kDigits))
    return fmt::format("Invalid character(s) found in {} number {}", name, go_quoted(text));
  if (leads_with_zero(text)) {
    std::string title(name);
    title[0] = static_cast<char>(title[0] - 32);
    return fmt::format("{} number must not contain leading zeroes {}", title, go_quoted(text));
  }
  const auto number = cel::read_uint(text);
  if (!number)
    return fmt::format("strconv.ParseUint: parsing {}: {}", go_quoted(text),
                       text.empty() ? "invalid syntax" : "value out of range");
  out = *number;
  return "";
}

std::string check_build(const std::string& text) {
  for (const std::string& part : split(text, '.')) {
    if (part.empty()) return "Build meta data is empty";
    if (!only(part, kAlphanumerics))
      return fmt::format("Invalid character(s) found in build meta data {}", go_quoted(part));
  }
  return "";
}

std::string read_pre(const std::string& text, Version& out) {
  out.pre = split(text, '.');
  for (const std::string& part : out.pre) {
    if (part.empty()) return "Prerelease is empty";
    if (only(part, kDigits) && leads_with_zero(part))
      return fmt::format("Numeric PreRelease version must not contain leading zeroes {}",
                         go_quoted(part));
    if (!only(part, kAlphanumerics))
      return fmt::format("Invalid character(s) found in prerelease {}", go_quoted(part));
  }
  return "";
}

std::string read(std::string_view text, Version& out) {
  if (text.empty()) return "Version string empty";
  const std::size_t first = text.find('.');
  const std::size_t second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos) return "No Major.Minor.Patch elements found";
  if (auto error = read_number(text.substr(0, first), "major", out.major); !error.empty())
    return error;
  if (auto error = read_number(text.substr(first + 1, second - first - 1), "minor", out.minor);
      !error.empty())
    return error;
  std::string_view patch = text.substr(second + 1);
  std::optional<std::string> build;
  std::optional<std::string> pre;
  if (const std::size_t plus = patch.find('+'); plus != std::string_view::npos) {
    build = patch.substr(plus + 1);
    patch = patch.substr(0, plus);
  }
  if (const std::size_t dash = patch.find('-'); dash != std::string_view::npos) {
    pre = patch.substr(dash + 1);
    patch = patch.substr(0, dash);
  }
  if (auto error = read_number(patch, "patch", out.patch); !error.empty()) return error;
  if (pre)
    if (auto error = read_pre(*pre, out); !error.empty()) return error;
  return build ? check_build(*build) : "";
}

// "v1.02" -> "1.2.0": a leading v goes, leading zeros go, missing parts become 0.
std::string normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const std::size_t tail_at = std::min(text.find_first_of("-+"), text.size());
  std::vector<std::string> parts = split(text.substr(0, tail_at), '.');
  for (std::string& part : parts)
    while (leads_with_zero(part)) part.erase(0, 1);
  while (parts.size() < 3) parts.emplace_back("0");
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ".") + part;
  return out + std::string(text.substr(tail_at));
}

// Numbers count as numbers and come before words.
int order_pre(const std::string& a, const std::string& b) {
  const bool a_number = only(a, kDigits);
  const bool b_number = only(b, kDigits);
  if (a_number != b_number) return a_number ? -1 : 1;
  if (a_number && a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

int order(const Version& a, const Version& b) {
  const auto core = [](const Version& v) { return std::tie(v.major, v.minor, v.patch); };
  if (core(a) != core(b)) return core(a) < core(b) ? -1 : 1;
  if (a.pre.empty() || b.pre.empty())
    return a.pre.empty() == b.pre.empty() ? 0 : (a.pre.empty() ? 1 : -1);
  for (std::size_t i = 0; i < std::min(a.pre.size(), b.pre.size()); ++i)
    if (const int each = order_pre(a.pre[i], b.pre[i]); each != 0) return each < 0 ? -1 : 1;
  if (a.pre.size() == b.pre.size()) return 0;
  return a.pre.size() < b.pre.size() ? -1 : 1;
}

class Semver final : public cel::Opaque {
 public:
  explicit Semver(Version version) : version_(std::move(version)) {}
  const Version& version() const { return version_; }
  std::string_view type_name() const override { return "kubernetes.Semver"; }
  bool equals(const Opaque& other) const override {
    return order(version_, static_cast<const Semver&>(other).version_) == 0;
  }
  std::string text() const override {
    std::string out = fmt::format("{}.{}.{}", version_.major, version_.minor, version_.patch);
    for (const std::string& part : version_.pre)
      out += (&part == version_.pre.data() ? '-' : '.') + part;
    return out;
  }

 private:
  Version version_;
};

const Version& version_of(const Value& value) {
  return static_cast<const Semver&>(value.as_opaque()).version();
}

std::string text_of(Args args) {
  const bool normalize = args.size() > 1 && args[1].as_bool();
  return normalize ? normalized(args[0].text()) : std::string(args[0].text());
}

Value make(Args args, Budget&) {
  Version version;
  if (auto error = read(text_of(args), version); !error.empty()) return Value::error(error);
  return Value::opaque(cel::make_ref<Semver>(std::move(version)));
}

Value is_semver(Args args, Budget&) {
  Version version;
  return Value(read(text_of(args), version).empty());
}

void add_number(Declarations& to, const char* name, std::uint64_t Version::*part) {
  to.member(name, {kSemver}, kInt, [part](Args args, Budget&) {
    return Value(static_cast<std::int64_t>(version_of(args[0]).*part));
  });
}

}  // namespace

Library kubernetes::semver(int version) {
  Declarations to;
  to.global("semver", {kString}, kSemver, make);
  if (version >= 1) to.global("semver", {kString, kBool}, kSemver, make);
  to.global("isSemver", {kString}, kBool, is_semver);
  if (version >= 1) to.global("isSemver", {kString, kBool}, kBool, is_semver);
  add_number(to, "major", &Version::major);
  add_number(to, "minor", &Version::minor);
  add_number(to, "patch", &Version::patch);
  to.member("isLessThan", {kSemver, kSemver}, kBool, [](Args args, Budget&) {
    return Value(order(version_of(args[0]), version_of(args[1])) < 0);
  });
  to.member("isGreaterThan", {kSemver, kSemver}, kBool, [](Args args, Budget&) {
    return Value(order(version_of(args[0]), version_of(args[1])) > 0);
  });
  to.member("compareTo", {kSemver, kSemver}, kInt, [](Args args, Budget&) {
    return of_int(order(version_of(args[0]), version_of(args[1])));
  });
  Library out;
  out.name = "k8s.semver";
  out.functions = to.take();
  out.types = {{"kubernetes.Semver", kSemver}};
  return out;
}

}  // namespace portico::cel_lib
