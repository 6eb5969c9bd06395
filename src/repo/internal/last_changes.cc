#include "repo/internal/last_changes.h"

#include <functional>
#include <set>
#include <string_view>
#include <vector>

namespace portico::repo {
namespace {

using git::Oid;

// Paths whose commit is still unknown.
using Open = std::set<std::string, std::less<>>;

bool any_below(const Open& open, const std::string& folder) {
  const auto at = open.lower_bound(folder + "/");
  return at != open.end() && at->starts_with(folder + "/");
}

// Adds to `changed` the open paths that differ between two folders; zero means no folder.
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
  // Commits to visit, each with the packages that reached it unchanged, newest first: by the time a
  // commit is visited, all paths that lead to it have arrived.
  using Waiting = std::pair<git::Commit, Open>;
  std::map<std::pair<std::int64_t, Oid>, Waiting, std::greater<>> waiting;
  const auto wait_at = [&](const Oid& id, Open paths) -> Result<Done> {
    if (paths.empty()) return Done{};
    if (id == head_) {
      std::erase_if(paths, [&](const std::string& path) {
        const auto known = commits_.find(path);
        if (known != commits_.end()) found.insert(*known);
        return known != commits_.end();
      });
      if (paths.empty()) return Done{};
    }
    PORTICO_TRY(git::Commit commit, git::read_commit(read, id));
    const std::pair key{commit.committer.when.time_since_epoch().count(), id};
    waiting[key].first = std::move(commit);
    waiting[key].second.merge(paths);
    return Done{};
  };

  Open all;
  for (const auto& [path, tree] : packages) all.insert(path);
  PORTICO_DO(wait_at(head, std::move(all)));
  while (!waiting.empty()) {
    const Oid at = waiting.begin()->first.second;
    auto [commit, open] = std::move(waiting.begin()->second);
    waiting.erase(waiting.begin());
    for (const Oid& parent : commit.parents) {
      if (open.empty()) break;
      const auto before = git::read_commit(read, parent);
      // A shallow clone ends here; older changes cannot be distinguished.
      if (!before && before.error().code == Code::kNotFound) continue;
      if (!before) return before.error();
      std::vector<std::string> changed;
      PORTICO_DO(compare(read, before->tree, commit.tree, "", open, changed), at.hex());
      Open differs;
      for (std::string& path : changed)
        if (auto node = open.extract(path)) differs.insert(std::move(node));
      PORTICO_DO(wait_at(parent, std::move(open)));
      open = std::move(differs);
    }
    for (const std::string& path : open) found.emplace(path, at);
  }
  head_ = head;
  commits_ = found;
  return found;
}

}  // namespace portico::repo
