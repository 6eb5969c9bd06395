#include "repo/internal/last_changes.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace portico::repo {
namespace {

using git::Oid;

// Paths whose commit is still looked for.
using Open = std::set<std::string, std::less<>>;

bool any_below(const Open& open, const std::string& folder) {
  const auto at = open.lower_bound(folder + "/");
  return at != open.end() && at->starts_with(folder + "/");
}

// Adds to `changed` the open paths that are not the same below two folders; zero is no folder.
Result<Done> compare(const git::ReadObject& read, const Oid& before, const Oid& after,
                     const std::string& prefix, const Open& open,
                     std::vector<std::string>& changed) {
  if (before == after) return Done{};
  git::Object old_tree, new_tree;
  if (!before.is_zero()) {
    PORTICO_TRY(old_tree, read(before));
  }
  if (!after.is_zero()) {
    PORTICO_TRY(new_tree, read(after));
  }
  PORTICO_TRY(const std::vector<git::TreeChange> changes,
              git::diff_trees(old_tree.bytes, new_tree.bytes));
  for (const git::TreeChange& change : changes) {
    const std::string path = prefix + change.name();
    if (open.contains(path)) changed.push_back(path);
    if (!any_below(open, path)) continue;
    const auto folder = [](const std::optional<git::TreeEntry>& entry) {
      return entry && entry->is_tree() ? entry->id : Oid{};
    };
    PORTICO_DO(
        compare(read, folder(change.before), folder(change.after), path + "/", open, changed));
  }
  return Done{};
}

}  // namespace

Result<std::map<std::string, Oid>> LastChanges::find(const git::ReadObject& read, const Oid& head,
                                                     const PackageTrees& packages) {
  std::map<std::string, Oid> found;
  Open open;
  for (const auto& [path, tree] : packages) open.insert(path);

  Oid at = head;
  PORTICO_TRY(git::Commit commit, git::read_commit(read, at));
  while (!open.empty()) {
    if (at == head_) {
      for (const std::string& path : open)
        if (const auto known = commits_.find(path); known != commits_.end()) found.insert(*known);
      std::erase_if(open, [&](const std::string& path) { return found.contains(path); });
      if (open.empty()) break;
    }
    if (commit.parents.empty()) {
      for (const std::string& path : open) found.emplace(path, at);
      break;
    }
    const Oid parent = commit.parents[0];
    auto before = git::read_commit(read, parent);
    if (!before && before.error().code == Code::kNotFound) {
      // A shallow clone ends here; what is older cannot be told apart.
      for (const std::string& path : open) found.emplace(path, at);
      break;
    }
    if (!before) return before.error();
    std::vector<std::string> changed;
    PORTICO_DO(compare(read, before->tree, commit.tree, "", open, changed), at.hex());
    for (const std::string& path : changed) {
      found.emplace(path, at);
      open.erase(path);
    }
    at = parent;
    commit = *std::move(before);
  }
  head_ = head;
  commits_ = found;
  return found;
}

}  // namespace portico::repo
