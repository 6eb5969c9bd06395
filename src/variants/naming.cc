#include "variants/naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/hash.h"

namespace portico::variants {

namespace {

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kStub = 54;
constexpr std::size_t kHashDigits = 8;
constexpr std::string_view kWorkspacePrefix = "packagevariant-";

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// A valid Kubernetes name (RFC 1123 subdomain) of the same length.
std::string as_name(std::string_view text) {
  std::string name(text);
  for (char& c : name)
    if (!is_alphanumeric(c) && c != '-' && c != '.') c = '-';
  // Labels between dots start and end with a letter or digit.
  for (std::size_t i = 0; i < name.size(); ++i)
    if (name[i] == '.' && (i == 0 || i + 1 == name.size() || !is_alphanumeric(name[i - 1]) ||
                           !is_alphanumeric(name[i + 1])))
      name[i] = '-';
  if (!name.empty() && !is_alphanumeric(name.front())) name.front() = 'x';
  if (!name.empty() && !is_alphanumeric(name.back())) name.back() = 'x';
  return name;
}

std::string hashed(std::string name, std::string_view of) {
  name.resize(std::min(name.size(), kStub));
  if (name.ends_with('.')) name.back() = '-';
  return name + "-" + sha1_hex(of).substr(0, kHashDigits);
}

/// Parses `text` as a number, if all of it is one.
bool is_number(std::string_view text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string variant_identifier(std::string_view set, const VariantKey& key) {
  return fmt::format("{}-{}-{}", set, key.repo, key.package);
}

std::string variant_name(std::string_view set, const VariantKey& key,
                         const std::set<std::string, std::less<>>& taken) {
  const std::string identifier = variant_identifier(set, key);
  std::string name = as_name(identifier);
  if (name == identifier && name.size() <= kLongestName && !taken.contains(name)) return name;
  if (name != identifier || name.size() > kLongestName) {
    std::string by_identifier = hashed(name, identifier);
    if (!taken.contains(by_identifier)) return by_identifier;
  }
  // Two pairs can have the same identifier, but not the same text with a separator that names
  // cannot contain.
  std::string separated = fmt::format("{}\n{}\n{}", set, key.repo, key.package);
  std::string by_pair = hashed(name, separated);
  while (taken.contains(by_pair)) by_pair = hashed(name, separated += '\n');
  return by_pair;
}

std::string next_workspace_name(std::span<const Revision> observed, const VariantKey& downstream) {
  std::size_t highest = 0;
  for (const Revision& revision : observed) {
    if (revision.spec().repository != downstream.repo ||
        revision.spec().package_name != downstream.package)
      continue;
    std::string_view workspace = revision.spec().workspace_name;
    if (!workspace.starts_with(kWorkspacePrefix)) continue;
    workspace.remove_prefix(kWorkspacePrefix.size());
    if (std::size_t number = 0; is_number(workspace, number)) highest = std::max(highest, number);
  }
  return fmt::format("{}{}", kWorkspacePrefix, highest + 1);
}

}  // namespace portico::variants
