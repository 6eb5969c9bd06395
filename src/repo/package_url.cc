#include "repo/package_url.h"

#include <filesystem>
#include <optional>
#include <utility>

#include "base/absolute_path.h"
#include "base/secrets.h"
#include "git/local.h"
#include "git/remote.h"
#include "repo/internal/local_path.h"
#include "repo/names.h"

namespace portico::repo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGitSuffix = ".git";

/// Parses "/PATH[@VERSION]", the part after the repository.
Result<krm::GitLocation> with_directory(std::string repo, std::string_view rest) {
  krm::GitLocation found;
  const std::size_t at = rest.find('@');
  if (at != std::string_view::npos) {
    found.ref = rest.substr(at + 1);
    if (found.ref.empty()) return invalid("missing version after '@'");
  }
  PORTICO_TRY(const std::string directory, clean_directory(rest.substr(0, at)), "directory");
  found.directory = "/" + directory;
  found.repo = std::move(repo);
  return found;
}

/// The offset after the ".git" that ends the repository.
std::optional<std::size_t> end_of_repository(std::string_view text) {
  for (std::size_t at = text.find(kGitSuffix); at != std::string_view::npos;
       at = text.find(kGitSuffix, at + 1)) {
    const std::size_t end = at + kGitSuffix.size();
    if (end == text.size() || text[end] == '/' || text[end] == '@') return end;
  }
  return std::nullopt;
}

/// Makes local paths absolute: a relative path depends on the working directory.
Result<std::string> as_written(std::string repo) {
  while (repo.size() > 1 && repo.ends_with('/')) repo.pop_back();
  if (repo.find("://") != std::string::npos || !local_path(repo)) return repo;
  return absolute_path(repo);
}

std::optional<Result<krm::GitLocation>> on_github(std::string_view text) {
  for (const std::string_view prefix : {"https://github.com/", "http://github.com/"}) {
    if (!text.starts_with(prefix)) continue;
    const std::size_t owner = text.find('/', prefix.size());
    if (owner == std::string_view::npos) return std::nullopt;
    const std::size_t end = std::min(text.find_first_of("/@", owner + 1), text.size());
    std::string_view rest = text.substr(end);
    std::string repo(text.substr(0, end));
    constexpr std::string_view kTree = "/tree/";
    if (!rest.starts_with(kTree)) return with_directory(std::move(repo), rest);
    rest.remove_prefix(kTree.size());
    const std::size_t ref = std::min(rest.find('/'), rest.size());
    auto found = with_directory(std::move(repo), rest.substr(ref));
    if (found && found->ref.empty()) found->ref = rest.substr(0, ref);
    return found;
  }
  return std::nullopt;
}

/// Finds the repository that contains a folder on this machine.
std::optional<Result<krm::GitLocation>> on_this_machine(std::string_view text) {
  const bool file_url = text.starts_with("file://");
  const std::size_t at = text.find('@');
  const auto path = local_path(std::string(text.substr(0, at)));
  if (!path) return std::nullopt;
  const auto absolute = absolute_path(*path);
  if (!absolute) return absolute.error();
  const fs::path whole = *absolute;
  for (fs::path repo = whole; repo.has_relative_path(); repo = repo.parent_path()) {
    if (!git::find_local(repo.string())) continue;
    std::string rest = "/" + whole.lexically_relative(repo).generic_string();
    if (at != std::string_view::npos) rest += text.substr(at);
    return with_directory((file_url ? "file://" : "") + repo.string(), rest);
  }
  return std::nullopt;
}

}  // namespace

Result<krm::GitLocation> parse_package_url(std::string_view text) {
  const std::string shown = without_secrets(std::string(text));
  PORTICO_DO(git::parse_remote(std::string(text)));
  if (const auto end = end_of_repository(text)) {
    std::string repo(text.substr(0, *end - kGitSuffix.size()));
    if (repo.empty()) repo = ".";  // ".git/web": in the current directory
    PORTICO_TRY(const std::string written, as_written(repo), shown);
    PORTICO_TRY(krm::GitLocation found, with_directory(written, text.substr(*end)), shown);
    return found;
  }
  for (auto* known : {&on_github, &on_this_machine})
    if (auto found = (*known)(text)) {
      if (!*found) return std::move(*found).error().in(shown);
      return *std::move(*found);
    }
  return invalid("ambiguous repo/dir@version {:?}: specify '.git' where the repository ends",
                 shown);
}

}  // namespace portico::repo
