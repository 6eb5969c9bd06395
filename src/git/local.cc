#include "git/local.h"

#include <algorithm>

#include "git/internal/file.h"

namespace portico::git {
namespace {

// Rejects formats that libgit2 cannot read either, with a clearer message.
Result<Done> check_format(const std::string& folder) {
  auto config = read_whole(folder + "/config", 16u << 20);
  if (!config && config.error().code == Code::kNotFound) return Done{};
  if (!config) return std::move(config).error();
  std::string text;
  for (const char c : *config)
    if (c != ' ' && c != '\t') text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (text.find("\nobjectformat=sha256") != std::string::npos)
    return invalid("{:?} uses SHA-256 object ids, which are not supported", folder);
  if (text.find("\nrefstorage=reftable") != std::string::npos)
    return invalid("{:?} stores its refs as reftable, which is not supported", folder);
  return Done{};
}

}  // namespace

bool is_repository(const std::string& folder) {
  return exists(folder + "/HEAD") && is_folder(folder + "/objects") && is_folder(folder + "/refs");
}

Result<LocalRepository> find_local(const std::string& path) {
  std::string root = path;
  while (root.size() > 1 && root.ends_with('/')) root.pop_back();
  LocalRepository found;
  if (is_repository(root)) {
    found.folder = root;
    if (root.ends_with("/.git")) found.work_tree = parent_of(root);
  } else if (is_repository(root + "/.git")) {
    found = {root + "/.git", root};
  } else if (exists(root + "/.git")) {
    return invalid("{:?} is a linked worktree or submodule: specify its main repository", path);
  } else {
    return not_found("not a git repository: {:?}", path);
  }
  PORTICO_DO(check_format(found.folder));
  return found;
}

}  // namespace portico::git
