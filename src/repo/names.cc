#include "repo/names.h"

#include <algorithm>
#include <charconv>

#include "git/ref_name.h"
#include "krm/file_paths.h"

namespace portico::repo {
namespace {

constexpr std::size_t kLongestPath = 900;  // leaves room for the rest of a ref name

template <class F>
Result<Done> for_each_part(std::string_view path, F&& f) {
  while (true) {
    const std::size_t slash = path.find('/');
    PORTICO_DO(f(path.substr(0, slash)));
    if (slash == std::string_view::npos) return Done{};
    path.remove_prefix(slash + 1);
  }
}

std::string ref_of(std::string_view prefix, std::string_view path, std::string_view last) {
  return fmt::format("{}{}/{}", prefix, path, last);
}

}  // namespace

Result<std::string> clean_directory(std::string_view directory) {
  std::string out;
  PORTICO_DO(for_each_part(directory, [&](std::string_view part) -> Result<Done> {
    if (part.empty() || part == ".") return Done{};
    if (const std::string_view fault = krm::fault_of_part(part); !fault.empty())
      return invalid("invalid directory {:?}: {}", directory, fault);
    if (!out.empty()) out += '/';
    out += part;
    return Done{};
  }));
  return out;
}

std::string join_path(std::string_view directory, std::string_view package) {
  if (directory.empty()) return std::string(package);
  if (package.empty()) return std::string(directory);
  return fmt::format("{}/{}", directory, package);
}

std::string_view below(std::string_view path, std::string_view directory) {
  if (directory.empty()) return path;
  if (path.size() <= directory.size() + 1 || !path.starts_with(directory) ||
      path[directory.size()] != '/')
    return "";
  return path.substr(directory.size() + 1);
}

Result<Done> check_package_path(std::string_view package) {
  PORTICO_DO(krm::check_path(package, "package"));
  if (package.size() > kLongestPath)
    return invalid("package {:?}... is longer than {} bytes", package.substr(0, 80), kLongestPath);
  if (auto fits = git::check_ref_name(draft_ref(package, "w")); !fits)
    return invalid("package {:?} cannot be part of branch and tag names", package)
        .in(std::move(fits).error().what);
  return Done{};
}

Result<Done> check_file_path(std::string_view path) { return krm::check_path(path, "file"); }

std::string draft_ref(std::string_view path, std::string_view workspace) {
  return ref_of(kDraftRefs, path, workspace);
}
std::string proposed_ref(std::string_view path, std::string_view workspace) {
  return ref_of(kProposedRefs, path, workspace);
}
std::string deletion_ref(std::string_view path, std::string_view version) {
  return ref_of(kDeletionRefs, path, version);
}
std::string tag_ref(std::string_view path, std::string_view version) {
  return ref_of(kTagRefs, path, version);
}

std::optional<PathAndLast> split_last(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == text.size())
    return std::nullopt;
  return PathAndLast{text.substr(0, slash), text.substr(slash + 1)};
}

int revision_of_tag(std::string_view version) {
  if (!version.starts_with('v')) return -1;
  version.remove_prefix(1);
  if (version.empty() || version.front() < '1' || version.front() > '9') return -1;
  int number = 0;
  const char* end = version.data() + version.size();
  const auto read = std::from_chars(version.data(), end, number);
  return read.ec == std::errc{} && read.ptr == end ? number : -1;
}

}  // namespace portico::repo
