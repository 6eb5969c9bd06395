#include "repo/internal/load_revision.h"

#include "repo/commit_text.h"
#include "repo/internal/history.h"
#include "repo/internal/trees.h"

namespace portico::repo {
namespace {

constexpr int kMostDraftCommits = 100;  // searched for a trailer

Lifecycle lifecycle_of(std::string_view prefix) {
  if (prefix == kTagRefs) return Lifecycle::kPublished;
  return prefix == kProposedRefs || prefix == kLocalProposedRefs ? Lifecycle::kProposed
                                                                 : Lifecycle::kDraft;
}

// A user's commit on top of a variant's commit does not detach the draft from the variant.
Result<Trailers> draft_trailers(const git::ReadObject& read, const git::Commit& commit,
                                std::string_view path, std::string_view workspace) {
  git::Commit at = commit;
  for (int i = 0; i < kMostDraftCommits; ++i) {
    Trailers trailers = trailers_of(at.message);
    if (!trailers.variant.empty()) return trailers;
    const auto note = annotation_of(at.message, path);
    if (!note || note->workspace != workspace || at.parents.empty()) break;
    PORTICO_TRY(at, git::read_commit(read, at.parents[0]));
    // Commits before the draft belong to other revisions.
    const auto before = annotation_of(at.message, path);
    if (!before || before->workspace != workspace) break;
  }
  return Trailers{};
}

// The pin from the newest commit of the draft that has one, unless the package was rebuilt since.
Result<std::string> draft_pin(const git::ReadObject& read, const git::Commit& commit,
                              std::string_view path, std::string_view workspace) {
  git::Commit at = commit;
  for (int i = 0; i < kMostDraftCommits; ++i) {
    const auto note = annotation_of(at.message, path);
    if (!note || note->workspace != workspace) break;
    const Trailers trailers = trailers_of(at.message);
    if (trailers.pin_package == path) return trailers.pin;
    if (trailers.pristine_package == path || at.parents.empty()) break;
    PORTICO_TRY(at, git::read_commit(read, at.parents[0]));
  }
  return std::string();
}

Result<std::optional<Revision>> load_at(const git::ReadObject& read, std::string_view directory,
                                        const git::Ref& ref, Lifecycle lifecycle,
                                        const PathAndLast& parts) {
  const auto& [path, last] = parts;
  const auto commit_id = git::peel_to_commit(read, ref.id);
  if (!commit_id && commit_id.error().code == Code::kInvalid)
    return std::optional<Revision>{};  // a tag of a blob or tree
  if (!commit_id) return commit_id.error();
  PORTICO_TRY(const git::Commit commit, git::read_commit(read, *commit_id));
  const auto entry = git::find_path(read, commit.tree, path);
  if (!entry && entry.error().code == Code::kNotFound) return std::optional<Revision>{};
  if (!entry) return entry.error();
  if (!entry->is_tree()) return std::optional<Revision>{};
  const auto package = is_package(read, entry->id);
  // A malformed tree is listed as a package that cannot be read: reading it fails, and it does not
  // hide other packages.
  if (!package && package.error().code != Code::kInvalid) return package.error();
  if (package && !*package) return std::optional<Revision>{};

  Revision revision;
  revision.package = std::string(below(path, directory));
  revision.workspace = std::string(last);
  revision.lifecycle = lifecycle;
  revision.ref = ref.name;
  revision.commit = commit_id->hex();
  revision.tree = entry->id.hex();
  revision.committed = commit.committer.when;
  revision.author = author_of(commit);
  Trailers trailers = trailers_of(commit.message);
  if (lifecycle == Lifecycle::kPublished) {
    revision.revision = revision_of_tag(last);
    // A revision keeps the workspace that it was drafted in; its approval commit records it.
    if (revision.revision > 0)
      if (const auto note = annotation_of(commit.message, path);
          note && !note->workspace.empty() &&
          (note->revision == std::to_string(revision.revision) || note->revision == last))
        revision.workspace = note->workspace;
  } else if (trailers.variant.empty()) {
    PORTICO_TRY(trailers, draft_trailers(read, commit, path, last));
  }
  revision.variant = trailers.variant;
  revision.variant_set = trailers.variant_set;
  if (trailers.pin_package == path) {
    revision.pin = trailers.pin;
  } else if (lifecycle != Lifecycle::kPublished) {
    PORTICO_TRY(revision.pin, draft_pin(read, commit, path, last));
  }
  if (!revision.variant.empty()) {
    // The commit itself, its parent, or the draft's commits that were merged with it.
    constexpr int kNearCommits = 3;
    PORTICO_TRY(revision.pristine, find_pristine(read, *commit_id, path, kNearCommits));
  }
  return std::optional<Revision>(std::move(revision));
}

}  // namespace

std::string author_of(const git::Commit& commit) {
  std::string user = trailers_of(commit.message).user;
  if (!user.empty()) return user;
  return fmt::format("{} <{}>", commit.author.name, commit.author.email);
}

Result<std::optional<Revision>> load_revision(const git::ReadObject& read,
                                              std::string_view directory, const git::Ref& ref) {
  for (const std::string_view prefix : kRevisionPrefixes) {
    if (!ref.name.starts_with(prefix)) continue;
    const auto parts = split_last(std::string_view(ref.name).substr(prefix.size()));
    if (!parts || below(parts->path, directory).empty()) return std::optional<Revision>{};
    return load_at(read, directory, ref, lifecycle_of(prefix), *parts);
  }
  return std::optional<Revision>{};
}
}  // namespace portico::repo
