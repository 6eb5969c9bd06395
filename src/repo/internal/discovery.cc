#include "repo/internal/discovery.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "repo/commit_text.h"
#include "repo/internal/load_revision.h"
#include "repo/names.h"

namespace portico::repo {
namespace {

using git::Oid;

constexpr int kDeepestFolder = 64;
constexpr std::size_t kMostFolders = 200'000;  // limit of the cache, which is then cleared
// The name of a tag or branch after the package path: "v1", "main".
std::string version_of(const Revision& revision) {
  if (const auto parts = split_last(revision.ref);
      parts && std::string_view(revision.ref).starts_with(kTagRefs))
    return std::string(parts->last);
  return revision.workspace;
}

}  // namespace

struct Discovery::Folder {
  std::vector<std::pair<std::string, Oid>> packages;  // path below the folder -> tree
};

Revision head_revision(std::string_view directory, std::string_view branch, const git::Ref& ref,
                       std::string_view path, const Oid& tree, const Oid& id,
                       const git::Commit& commit) {
  Revision revision;
  revision.package = directory.empty() ? path : below(path, directory);
  revision.workspace = branch;
  revision.revision = -1;
  revision.lifecycle = Lifecycle::kPublished;
  revision.ref = ref.name;
  revision.commit = id.hex();
  revision.tree = tree.hex();
  revision.committed = commit.committer.when;
  revision.author = author_of(commit);
  const Trailers trailers = trailers_of(commit.message);
  revision.variant = trailers.variant;
  revision.variant_set = trailers.variant_set;
  return revision;
}

Discovery::Discovery(const git::ObjectDb& objects, std::string branch, std::string directory)
    : read_([&objects](const Oid& id) { return objects.read(id); }),
      branch_(std::move(branch)),
      directory_(std::move(directory)) {}

Result<Discovery::Found> Discovery::run(const git::RefSnapshot& snapshot) {
  Found found;
  std::vector<Revision>& out = found.revisions;
  std::map<std::string, Known, std::less<>> seen;
  for (const std::string_view prefix : kRevisionPrefixes) {
    const auto [first, last] = snapshot.range(prefix);
    for (std::size_t i = first; i < last; ++i) {
      const git::Ref& ref = snapshot.refs[i];
      auto node = known_.extract(ref.name);
      if (node.empty() || node.mapped().id != ref.id) {
        PORTICO_TRY(std::optional<Revision> revision, load_revision(read_, directory_, ref),
                    ref.name);
        node = {};
        seen.emplace_hint(seen.end(), ref.name, Known{ref.id, revision});
        if (revision) out.push_back(*std::move(revision));
      } else {
        if (node.mapped().revision) out.push_back(*node.mapped().revision);
        seen.insert(std::move(node));
      }
    }
  }
  known_ = std::move(seen);

  if (const git::Ref* head = snapshot.find("refs/heads/" + branch_)) {
    if (head->id != head_) {
      PORTICO_TRY(head_revisions_, branch_head(*head), head->name);
      head_ = head->id;
    }
    out.insert(out.end(), head_revisions_.begin(), head_revisions_.end());
  }

  const auto [first_marker, last_marker] = snapshot.range(kDeletionRefs);
  if (first_marker != last_marker)
    for (Revision& revision : out)
      if (revision.lifecycle == Lifecycle::kPublished &&
          snapshot.find(
              deletion_ref(join_path(directory_, revision.package), version_of(revision))))
        revision.lifecycle = Lifecycle::kDeletionProposed;

  PORTICO_DO(take_out_done(found));
  // A workspace names one revision of its package. Tag names are unique; workspaces recorded in
  // commit messages may not be.
  std::map<std::pair<std::string_view, std::string_view>, int> uses;
  for (const Revision& revision : out) ++uses[{revision.package, revision.workspace}];
  std::vector<Revision*> shared;
  for (Revision& revision : out)
    if (revision.revision > 0 && uses[{revision.package, revision.workspace}] > 1)
      shared.push_back(&revision);
  for (Revision* revision : shared) revision->workspace = version_of(*revision);

  std::sort(out.begin(), out.end(), [](const Revision& a, const Revision& b) {
    return std::tie(a.package, a.lifecycle, a.revision, a.workspace) <
           std::tie(b.package, b.lifecycle, b.revision, b.workspace);
  });
  return found;
}

Result<Done> Discovery::take_out_done(Found& found) {
  std::map<std::pair<std::string_view, std::string_view>, const Revision*> proposals;
  for (const Revision& each : found.revisions)
    if (each.lifecycle == Lifecycle::kProposed)
      proposals.insert_or_assign({each.package, each.workspace}, &each);
  std::set<std::string> refs;
  for (const Revision& each : found.revisions) {
    if (proposals.empty()) break;
    const auto proposal = proposals.find({each.package, each.workspace});
    if (each.revision <= 0 || proposal == proposals.end()) continue;
    PORTICO_TRY(const Oid id, git::parse_oid(each.commit));
    PORTICO_TRY(const git::Commit approval, git::read_commit(read_, id), each.ref);
    PORTICO_TRY(const Oid proposed, git::parse_oid(proposal->second->commit));
    const auto& parents = approval.parents;
    if (std::find(parents.begin(), parents.end(), proposed) == parents.end()) continue;
    if (refs.insert(proposal->second->ref).second)
      found.done_with.push_back({proposal->second->ref, proposed});
  }
  std::erase_if(found.revisions, [&](const Revision& each) { return refs.contains(each.ref); });
  return Done{};
}

Result<std::vector<Revision>> Discovery::branch_head(const git::Ref& ref) {
  PORTICO_TRY(const git::Commit head, git::read_commit(read_, ref.id));
  if (folders_.size() > kMostFolders) folders_.clear();
  PackageTrees packages;
  const auto folder = git::find_path(read_, head.tree, directory_);
  if (!folder && folder.error().code != Code::kNotFound) return folder.error();
  if (folder && folder->is_tree()) {
    PORTICO_TRY(const auto found, packages_below(folder->id, true, 0));
    for (const auto& [path, tree] : found->packages)
      packages.emplace(join_path(directory_, path), tree);
  }
  PORTICO_TRY(const auto commits, last_changes_.find(read_, ref.id, packages));

  std::vector<Revision> out;
  std::unordered_map<Oid, git::Commit> read_already;
  for (const auto& [path, tree] : packages) {
    const Oid& id = commits.find(path)->second;
    auto commit = read_already.find(id);
    if (commit == read_already.end()) {
      PORTICO_TRY(git::Commit one, git::read_commit(read_, id));
      commit = read_already.emplace(id, std::move(one)).first;
    }
    out.push_back(head_revision(directory_, branch_, ref, path, tree, id, commit->second));
  }
  return out;
}

// A folder with a Kptfile is a package and is not searched further. The root directory is never a
// package, because it has no path to name it.
Result<std::shared_ptr<const Discovery::Folder>> Discovery::packages_below(const Oid& tree,
                                                                           bool root, int depth) {
  if (!root)
    if (const auto known = folders_.find(tree); known != folders_.end()) return known->second;
  auto folder = std::make_shared<Folder>();
  if (depth > kDeepestFolder) return std::shared_ptr<const Folder>(std::move(folder));
  PORTICO_TRY(const git::Object object, read_(tree));
  const auto parsed = git::parse_tree(object.bytes);
  if (!parsed && (root || parsed.error().code != Code::kInvalid))
    return Error(parsed.error()).in(tree.hex());
  const std::vector<git::TreeEntry> entries = parsed ? *parsed : std::vector<git::TreeEntry>();
  // A malformed tree is shown as a package that cannot be read.
  const bool package =
      !parsed || std::any_of(entries.begin(), entries.end(), [](const auto& entry) {
        return entry.name == "Kptfile" && entry.is_file();
      });
  if (package && !root) {
    folder->packages.emplace_back("", tree);
  } else {
    for (const git::TreeEntry& entry : entries) {
      if (!entry.is_tree()) continue;
      PORTICO_TRY(const auto inner, packages_below(entry.id, false, depth + 1));
      for (const auto& [path, id] : inner->packages)
        folder->packages.emplace_back(join_path(entry.name, path), id);
    }
  }
  if (!root) folders_.emplace(tree, folder);
  return std::shared_ptr<const Folder>(std::move(folder));
}

}  // namespace portico::repo
