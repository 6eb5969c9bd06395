// Saves drafts, and moves them to proposals and back.
#include "repo/commit_text.h"
#include "repo/internal/git_repository.h"
#include "repo/internal/git_steps.h"
#include "repo/internal/load_revision.h"
#include "repo/internal/trees.h"
#include "repo/names.h"

namespace portico::repo {

using git::ObjectType;
using git::Oid;

// A package in a folder that contains other packages would replace them on the branch. The check
// uses ref prefixes and one path of the branch, and never scans the folder.
Result<Done> GitRepository::check_folder_is_free(const git::RefSnapshot& snapshot,
                                                 const std::string& path) const {
  for (const std::string_view prefix : kRevisionPrefixes) {
    const std::string folder = fmt::format("{}{}/", prefix, path);
    const auto [first, last] = snapshot.range(folder);
    for (std::size_t i = first; i < last; ++i) {
      const auto parts = split_last(std::string_view(snapshot.refs[i].name).substr(folder.size()));
      if (parts)
        return invalid(
            "package path {:?} conflicts with existing package {:?}: packages cannot be "
            "nested",
            path, join_path(path, parts->path));
    }
  }
  const git::Ref* head = snapshot.find(branch_ref());
  if (!head) return Done{};
  const git::ReadObject read_object = [this](const Oid& id) { return store_->objects().read(id); };
  PORTICO_TRY(const git::Commit tip, git::read_commit(read_object, head->id));
  const auto entry = git::find_path(read_object, tip.tree, path);
  if (!entry && entry.error().code == Code::kNotFound) return Done{};
  if (!entry) return entry.error();
  PORTICO_TRY(const bool package,
              entry->is_tree() ? is_package(read_object, entry->id) : Result<bool>(false));
  if (package) return Done{};
  return invalid(
      "{:?} on branch {:?} is not a package: a package there would overwrite its content", path,
      opened_.branch);
}

Result<Revision> GitRepository::save_draft(const DraftWrite& write) {
  PORTICO_DO(check_package_path(write.package));
  if (write.workspace.find('/') != std::string::npos)
    return invalid("workspace {:?} contains a '/'", write.workspace);
  const std::string path = path_of(write.package);
  const std::string ref = draft_name(path, write.workspace);
  PORTICO_DO(check_branch_is_free(ref));
  const std::string place =
      fmt::format("package {:?} workspace {:?}", write.package, write.workspace);
  const bool fresh = write.expected_commit.empty();
  const std::string text = fresh ? write.parent_commit : write.expected_commit;
  Oid parent, onto;
  PORTICO_TRY(const auto snapshot, store_->refs().snapshot());
  const git::Ref* head = snapshot->find(branch_ref());
  if (!head) return not_found("branch {:?} no longer exists", opened_.branch).in(place);
  if (!text.empty()) {
    PORTICO_TRY(parent, git::parse_oid(text), place);
  } else {
    PORTICO_DO(check_folder_is_free(*snapshot, path), place);
    parent = head->id;
  }
  if (!write.onto_commit.empty()) {
    PORTICO_TRY(onto, git::parse_oid(write.onto_commit), place);
  }

  // All expensive work is done here, in the caller's thread; the plan only moves the ref.
  git::Staging staging;
  const git::ReadObject read_object = [&](const Oid& id) -> Result<git::Object> {
    if (const auto* staged = staging.find(id); staged && staged->type != ObjectType::kBlob)
      return git::Object{staged->type, staged->raw};
    return store_->objects().read(id);
  };
  PORTICO_TRY(const git::Commit base, git::read_commit(read_object, parent), place);
  PORTICO_TRY(const Oid tree,
              stage_package(write.content, store_->objects(), staging, options_.limits), place);
  git::Commit commit;  // the last commit added
  const auto add_commit = [&](const Oid& content, std::vector<Oid> parents,
                              const Message& message) -> Result<Oid> {
    PORTICO_TRY(const Oid root, with_subtree(
                                    read_object,
                                    [&](ObjectType type, std::string_view bytes) {
                                      return staging.add(type, bytes);
                                    },
                                    base.tree, path, content));
    PORTICO_TRY(std::string said, commit_text(message, path, write.workspace, 0));
    commit = commit_by(write.author, opened_.author, root, std::move(parents), std::move(said));
    return staging.add(ObjectType::kCommit, git::encode_commit(commit));
  };
  std::vector<Oid> parents{parent};
  if (!onto.is_zero() && onto != parent) parents.push_back(onto);
  std::optional<Pristine> pristine;
  Message message = write.message;
  Oid id;
  if (write.pristine != nullptr) {
    Message built = message;
    built.pristine = write.inputs;
    PORTICO_TRY(const Oid pristine_tree,
                stage_package(*write.pristine, store_->objects(), staging, options_.limits), place);
    const bool edited = pristine_tree != tree;
    if (edited) built.body.clear();  // the body describes the merge with the edits
    PORTICO_TRY(id, add_commit(pristine_tree, parents, built), place);
    pristine = Pristine{id.hex(), pristine_tree.hex(), write.inputs};
    if (edited) {
      message.subject = "Reapplying local edits";
      message.task.clear();
      message.decisions.clear();
      PORTICO_TRY(id, add_commit(tree, {id}, message), place);
    }
  } else {
    PORTICO_TRY(id, add_commit(tree, parents, message), place);
  }

  const git::Plan plan = [&](git::Batch& batch) -> Result<Done> {
    PORTICO_TRY(const Oid now, batch.lock(ref));
    if (fresh ? !now.is_zero() : now != parent) return moved(ref, now, write.expected_commit);
    if (fresh)
      for (const std::string& other :
           {proposed_name(path, write.workspace), tag_ref(path, write.workspace)})
        if (!batch.value(other).is_zero())
          return conflict("workspace {:?} of package {:?} is already in use: {:?} exists",
                          write.workspace, write.package, other);
    batch.add(staging);
    return batch.set(ref, id);
  };
  PORTICO_DO(store_->write(plan), place);

  Revision saved;
  saved.package = write.package;
  saved.workspace = write.workspace;
  saved.lifecycle = Lifecycle::kDraft;
  saved.ref = ref;
  saved.commit = id.hex();
  saved.tree = tree.hex();
  saved.committed = write.author.when;
  saved.author = author_of(commit);
  saved.variant = write.message.variant;
  saved.variant_set = write.message.variant_set;
  saved.pristine = std::move(pristine);
  saved.pin = write.message.pin;
  // Take the rest from earlier commits: of the draft, or of what it was started from.
  const bool inherits = saved.variant.empty() ? !fresh : write.pristine == nullptr;
  if (inherits) {
    PORTICO_TRY(const auto stored, load_revision(read_object, opened_.directory, {ref, id}), place);
    if (stored) saved = *stored;
  }
  PORTICO_DO(add_base(read_object, head->id, saved), place);
  return saved;
}

Result<Revision> GitRepository::propose(const Revision& draft) {
  PORTICO_DO(expect(draft, Lifecycle::kDraft, "propose"));
  PORTICO_TRY(const auto snapshot, store_->refs().snapshot());
  if (const git::Ref* head = snapshot->find(branch_ref())) {
    const git::ReadObject read_object = [this](const Oid& id) {
      return store_->objects().read(id);
    };
    PORTICO_TRY(const git::Commit tip, git::read_commit(read_object, head->id));
    PORTICO_DO(check_nesting(read_object, tip.tree, *snapshot, draft));
  }
  return move_draft(draft, Lifecycle::kProposed);
}

Result<Revision> GitRepository::reject(const Revision& proposed) {
  PORTICO_DO(expect(proposed, Lifecycle::kProposed, "reject"));
  return move_draft(proposed, Lifecycle::kDraft);
}

Result<Revision> GitRepository::move_draft(const Revision& from, Lifecycle to) {
  const std::string path = path_of(from.package);
  Revision moved_to = from;
  moved_to.lifecycle = to;
  // A draft that another client pushed as a branch is also proposed as a branch.
  const bool local = from.ref.starts_with("refs/portico/");
  const bool proposing = to == Lifecycle::kProposed;
  const std::string_view prefix = local ? (proposing ? kLocalProposedRefs : kLocalDraftRefs)
                                        : (proposing ? kProposedRefs : kDraftRefs);
  moved_to.ref = fmt::format("{}{}/{}", prefix, path, from.workspace);
  const git::Plan plan = [&](git::Batch& batch) -> Result<Done> {
    PORTICO_TRY(const Oid now, batch.lock(from.ref));
    if (now.hex() != from.commit) return moved(from.ref, now, from.commit);
    PORTICO_TRY(const Oid other, batch.lock(moved_to.ref));
    if (!other.is_zero()) return moved(moved_to.ref, other, "");
    PORTICO_DO(batch.set(from.ref, Oid{}));
    return batch.set(moved_to.ref, now);
  };
  PORTICO_DO(store_->write(plan));
  return moved_to;
}

}  // namespace portico::repo
