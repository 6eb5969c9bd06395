#include "packages/names.h"

#include <algorithm>

#include "base/hash.h"
#include "krm/meta.h"

namespace portico::packages {
namespace {

constexpr std::size_t kLongestName = 253;              // of an object
constexpr std::size_t kMostOfName = kLongestName - 9;  // before '-' and 8 hash digits

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Lower case, with '-' for each run of characters that a DNS subdomain may not have, and dots only
// between labels.
std::string as_subdomain(std::string_view text) {
  std::string out;
  char between = 0;
  for (char c : text) {
    c = lower(c);
    if (!is_alphanumeric(c)) {
      between = c == '.' || between == '.' ? '.' : '-';
      continue;
    }
    if (between != 0 && !out.empty()) out += between;
    between = 0;
    out += c;
  }
  return out.empty() ? "x" : out;
}

}  // namespace

std::string object_name(std::string_view repository, std::string_view package,
                        std::string_view workspace) {
  std::string dotted(package);
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  const bool plain = std::ranges::count(dotted, '.') == std::ranges::count(package, '/');
  std::string name = fmt::format("{}.{}.{}", repository, dotted, workspace);
  if (plain && krm::is_dns1123_subdomain(name)) return name;

  // The hash distinguishes "a.b" from "a/b" and "Web" from "web".
  const std::string hash = sha1_hex(fmt::format("{}/{}/{}", repository, package, workspace));
  name = as_subdomain(name).substr(0, kMostOfName);
  while (!is_alphanumeric(name.back())) name.pop_back();
  return fmt::format("{}-{}", name, hash.substr(0, 8));
}

Result<Done> check_object_name(std::string_view repository, std::string_view package,
                               std::string_view workspace) {
  if (!krm::is_dns1123_label(repository))
    return invalid("repository name {:?} is not an RFC 1123 label", repository);
  for (std::string_view rest = package;;) {
    const std::size_t slash = rest.find('/');
    if (const std::string_view part = rest.substr(0, slash); !krm::is_dns1123_label(part))
      return invalid("package {:?}: part {:?} is not an RFC 1123 label", package, part);
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  PORTICO_DO(check_workspace(workspace));
  const std::size_t length = repository.size() + package.size() + workspace.size() + 2;
  if (length > kLongestName)
    return invalid("the object's name \"{}.{}.{}\" has {} characters; at most {} are allowed",
                   repository, package, workspace, length, kLongestName);
  return Done{};
}

Result<Done> check_workspace(std::string_view workspace) {
  if (krm::is_dns1123_label(workspace)) return Done{};
  return invalid(
      "workspaceName {:?} is not 1 to 63 lower-case letters, digits and '-', with a letter or "
      "digit "
      "at both ends",
      workspace.substr(0, 80));
}

}  // namespace portico::packages
