// Changes to the branch: publication and removal, and their preconditions.
#include "repo/commit_text.h"
#include "repo/internal/git_repository.h"
#include "repo/internal/git_steps.h"
#include "repo/internal/load_revision.h"
#include "repo/internal/trees.h"
#include "repo/names.h"

namespace portico::repo {

using git::ObjectType;
using git::Oid;

Result<Oid> GitRepository::commit_to_branch(git::Batch& batch, const std::string& path,
                                            const Oid& tree, const std::vector<Oid>& more_parents,
                                            const std::string& message, const Signature& by) {
  PORTICO_TRY(const Oid head, batch.lock(branch_ref()));
  if (head.is_zero()) return not_found("branch {:?} no longer exists", opened_.branch);
  const git::ReadObject read_object = [&](const Oid& id) { return batch.read(id); };
  PORTICO_TRY(const git::Commit base, git::read_commit(read_object, head));
  PORTICO_TRY(const Oid root,
              with_subtree(
                  read_object,
                  [&](ObjectType type, std::string_view bytes) { return batch.add(type, bytes); },
                  base.tree, path, tree),
              branch_ref());
  std::vector<Oid> parents{head};
  parents.insert(parents.end(), more_parents.begin(), more_parents.end());
  const Oid commit = batch.add(
      ObjectType::kCommit,
      git::encode_commit(commit_by(by, opened_.author, root, std::move(parents), message)));
  PORTICO_DO(batch.set(branch_ref(), commit));
  return commit;
}

// A publication must not remove files of other packages, or place a package inside another one.
Result<Done> GitRepository::check_nesting(const git::ReadObject& read, const Oid& root,
                                          const git::RefSnapshot& snapshot,
                                          const Revision& revision) const {
  const std::string path = path_of(revision.package);
  const auto entry_at = [&](const Oid& tree, std::string_view at) -> Result<Oid> {
    const auto entry = git::find_path(read, tree, at);
    if (!entry && entry.error().code == Code::kNotFound) return Oid{};
    if (!entry) return entry.error();
    return entry->is_tree() ? entry->id : Oid{};
  };
  PORTICO_TRY(const Oid now, entry_at(root, path));
  bool there = false;
  if (!now.is_zero()) {
    PORTICO_TRY(there, is_package(read, now));
    if (!there)
      return invalid(
          "package path {:?} conflicts with existing content of branch {:?}: packages cannot be "
          "nested",
          path, opened_.branch);
  }
  for (std::size_t slash = path.find('/', opened_.directory.size() + 1);
       !there && slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string above = path.substr(0, slash);
    PORTICO_TRY(const Oid folder, entry_at(root, above));
    if (folder.is_zero()) break;
    PORTICO_TRY(const bool package, is_package(read, folder));
    if (package)
      return invalid(
          "package path {:?} conflicts with existing package {:?}: packages cannot be nested", path,
          above);
  }
  // A nested package with its own tags that the new content lacks.
  PORTICO_TRY(const Oid tree, git::parse_oid(revision.tree));
  const std::string folder = fmt::format("{}{}/", kTagRefs, path);
  const auto [first, last] = snapshot.range(folder);
  for (std::size_t i = first; i < last; ++i) {
    const auto parts = split_last(std::string_view(snapshot.refs[i].name).substr(folder.size()));
    if (!parts) continue;
    PORTICO_TRY(const Oid before, entry_at(root, join_path(path, parts->path)));
    PORTICO_TRY(const Oid after, entry_at(tree, parts->path));
    if (!before.is_zero() && after.is_zero())
      return invalid("package {:?} would be removed from branch {:?}: it is inside package {:?}",
                     join_path(path, parts->path), opened_.branch, path);
  }
  return Done{};
}

// The package on the branch must be the proposal's base; otherwise changes on the branch would be
// lost.
Result<Done> GitRepository::check_base(git::Batch& batch, const git::RefSnapshot& snapshot,
                                       const Revision& proposed, const std::string& path) const {
  const git::ReadObject read_object = [&](const Oid& id) { return batch.read(id); };
  PORTICO_TRY(const Oid head, batch.lock(branch_ref()));
  if (head.is_zero()) return not_found("branch {:?} no longer exists", opened_.branch);
  PORTICO_TRY(const git::Commit tip, git::read_commit(read_object, head));
  PORTICO_DO(check_nesting(read_object, tip.tree, snapshot, proposed));
  const auto now = git::find_path(read_object, tip.tree, path);
  if (!now && now.error().code != Code::kNotFound) return now.error();
  if (!now || now->id.hex() == proposed.base_tree || now->id.hex() == proposed.tree) return Done{};
  return conflict(
      "branch {:?} has different content for package {:?} than workspace {:?} is based on; rebase "
      "it",
      opened_.branch, proposed.package, proposed.workspace);
}

Result<Revision> GitRepository::publish(const Revision& proposed, int revision, const Signature& by,
                                        const std::vector<std::string>& decisions) {
  PORTICO_DO(expect(proposed, Lifecycle::kProposed, "publish"));
  if (revision < 1) return invalid("revision {} of a published package is not positive", revision);
  PORTICO_DO(check_branch_is_free(branch_ref()));
  const std::string path = path_of(proposed.package);
  const std::string tag = tag_ref(path, fmt::format("v{}", revision));
  Message message;
  message.subject = fmt::format("Approving package revision {}/{}", path, revision);
  message.variant = proposed.variant;
  message.variant_set = proposed.variant_set;
  message.pin = proposed.pin;
  message.decisions = decisions;
  PORTICO_TRY(const std::string text, commit_text(message, path, proposed.workspace, revision));
  PORTICO_TRY(const Oid tree, git::parse_oid(proposed.tree));
  PORTICO_TRY(const auto snapshot, store_->refs().snapshot());

  Oid merge;
  const git::Plan plan = [&](git::Batch& batch) -> Result<Done> {
    PORTICO_TRY(const Oid now, batch.lock(proposed.ref));
    if (now.hex() != proposed.commit) return moved(proposed.ref, now, proposed.commit);
    PORTICO_TRY(const Oid tagged, batch.lock(tag));
    if (!tagged.is_zero()) return moved(tag, tagged, "");
    PORTICO_DO(check_base(batch, *snapshot, proposed, path));
    PORTICO_TRY(merge, commit_to_branch(batch, path, tree, {now}, text, by));
    PORTICO_DO(batch.set(tag, merge));
    return batch.drop(proposed.ref);
  };
  PORTICO_DO(store_->write(plan));

  Revision published = proposed;
  published.revision = revision;
  published.lifecycle = Lifecycle::kPublished;
  published.base_commit.clear();
  published.base_tree.clear();
  published.ref = tag;
  published.commit = merge.hex();
  published.committed = by.when;
  published.author = author_of(commit_by(by, opened_.author, tree, {}, ""));
  return published;
}

Result<Revision> GitRepository::propose_deletion(const Revision& published) {
  PORTICO_DO(expect(published, Lifecycle::kPublished, "propose the deletion of"));
  const std::string marker = deletion_name(published);
  PORTICO_TRY(const Oid commit, git::parse_oid(published.commit));
  const git::Plan plan = [&](git::Batch& batch) -> Result<Done> {
    if (batch.value(published.ref).is_zero())
      return conflict("{:?} no longer exists", published.ref);
    PORTICO_TRY(const Oid now, batch.lock(marker));
    if (!now.is_zero()) return moved(marker, now, "");
    return batch.set(marker, commit);
  };
  PORTICO_DO(store_->write(plan));
  Revision out = published;
  out.lifecycle = Lifecycle::kDeletionProposed;
  return out;
}

Result<Revision> GitRepository::restore(const Revision& deletion_proposed) {
  PORTICO_DO(expect(deletion_proposed, Lifecycle::kDeletionProposed, "restore"));
  const std::string marker = deletion_name(deletion_proposed);
  const git::Plan plan = [&](git::Batch& batch) -> Result<Done> {
    PORTICO_TRY(const Oid now, batch.lock(marker));
    if (now.is_zero()) return conflict("{:?} no longer exists", marker);
    return batch.set(marker, Oid{});
  };
  PORTICO_DO(store_->write(plan));
  Revision out = deletion_proposed;
  out.lifecycle = Lifecycle::kPublished;
  return out;
}

Result<Done> GitRepository::remove(const Revision& revision, bool last, const Signature& by) {
  const std::string path = path_of(revision.package);
  const std::string text = fmt::format("Delete {}\n", path);
  const bool published = revision.lifecycle == Lifecycle::kPublished ||
                         revision.lifecycle == Lifecycle::kDeletionProposed;
  if (published && (last || !is_tag(revision))) PORTICO_DO(check_branch_is_free(branch_ref()));

  if (!published)
    return store_->write([&](git::Batch& batch) -> Result<Done> {
      PORTICO_TRY(const Oid now, batch.lock(revision.ref));
      if (now.hex() != revision.commit) return moved(revision.ref, now, revision.commit);
      return batch.set(revision.ref, Oid{});
    });

  const std::string marker = deletion_name(revision);
  const auto drop_marker = [&](git::Batch& batch) -> Result<Oid> {
    PORTICO_TRY(const Oid now, batch.lock(marker));
    if (!now.is_zero()) PORTICO_DO(batch.set(marker, Oid{}));
    return now;
  };

  if (!is_tag(revision))
    return store_->write([&](git::Batch& batch) -> Result<Done> {
      const git::ReadObject read_object = [&](const Oid& id) { return batch.read(id); };
      PORTICO_TRY(const Oid head, batch.lock(branch_ref()));
      if (head.is_zero()) return moved(branch_ref(), head, revision.commit);
      PORTICO_TRY(const git::Commit commit, git::read_commit(read_object, head));
      PORTICO_TRY(const git::TreeEntry folder, git::find_path(read_object, commit.tree, path));
      if (folder.id.hex() != revision.tree)
        return conflict("package {:?} changed on branch {:?}", revision.package, opened_.branch);
      PORTICO_TRY([[maybe_unused]] const Oid marked, drop_marker(batch));
      PORTICO_TRY([[maybe_unused]] const Oid removal,
                  commit_to_branch(batch, path, Oid{}, {}, text, by));
      return Done{};
    });

  PORTICO_DO(expect(revision, Lifecycle::kDeletionProposed, "delete"));
  return store_->write([&](git::Batch& batch) -> Result<Done> {
    const git::ReadObject read_object = [&](const Oid& id) { return batch.read(id); };
    PORTICO_TRY(const Oid tag, batch.lock(revision.ref));
    if (tag.is_zero()) return moved(revision.ref, tag, revision.commit);
    PORTICO_TRY(const Oid commit, git::peel_to_commit(read_object, tag));
    if (commit.hex() != revision.commit) return moved(revision.ref, commit, revision.commit);
    PORTICO_TRY(const Oid marked, drop_marker(batch));
    if (marked.is_zero()) return conflict("{:?} no longer exists", marker);
    PORTICO_DO(batch.set(revision.ref, Oid{}));
    if (!last) return Done{};
    PORTICO_TRY(const Oid head, batch.lock(branch_ref()));
    if (head.is_zero()) return Done{};
    PORTICO_TRY(const git::Commit head_commit, git::read_commit(read_object, head));
    const auto folder = git::find_path(read_object, head_commit.tree, path);
    if (!folder && folder.error().code == Code::kNotFound) return Done{};
    if (!folder) return folder.error();
    PORTICO_TRY([[maybe_unused]] const Oid removal,
                commit_to_branch(batch, path, Oid{}, {}, text, by));
    return Done{};
  });
}

}  // namespace portico::repo
