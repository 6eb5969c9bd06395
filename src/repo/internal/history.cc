#include "repo/internal/history.h"

#include <charconv>

#include "repo/commit_text.h"
#include "repo/internal/load_revision.h"

namespace portico::repo {
namespace {

using git::Oid;

constexpr std::size_t kMostCommits = 10'000;  // limit for a list of changes

// nullopt if the commit is missing, where a shallow clone ends.
Result<std::optional<git::Commit>> commit_at(const git::ReadObject& read, const Oid& id) {
  auto commit = git::read_commit(read, id);
  if (!commit && commit.error().code == Code::kNotFound) return std::optional<git::Commit>();
  if (!commit) return std::move(commit).error();
  return std::optional(*std::move(commit));
}

// The package's tree in a commit; zero if the commit does not have the package.
Result<Oid> tree_in(const git::ReadObject& read, const git::Commit& commit, std::string_view path) {
  const auto entry = git::find_path(read, commit.tree, path);
  if (!entry && entry.error().code == Code::kNotFound) return Oid{};
  if (!entry) return entry.error();
  return entry->is_tree() ? entry->id : Oid{};
}

// 2 for "2" (the package published as v2) and for "v2" (older commits); 0 for drafts.
int revision_of(const Annotation& note) {
  std::string_view text = note.revision;
  if (text.starts_with('v')) text.remove_prefix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

// A commit and the package's tree in it.
struct At {
  Oid id;
  git::Commit commit;
  Oid tree;
};

Result<std::optional<At>> look_at(const git::ReadObject& read, const Oid& id,
                                  std::string_view path) {
  PORTICO_TRY(auto commit, commit_at(read, id));
  if (!commit) return std::optional<At>();
  PORTICO_TRY(const Oid tree, tree_in(read, *commit, path));
  return std::optional(At{id, *std::move(commit), tree});
}

// Steps back to where the package came from: the first parent with the same content, else the first
// parent.
Result<std::optional<At>> before(const git::ReadObject& read, const At& at, std::string_view path) {
  std::optional<At> first;
  for (const Oid& parent : at.commit.parents) {
    PORTICO_TRY(auto there, look_at(read, parent, path));
    if (!there) continue;
    if (there->tree == at.tree || at.commit.parents.size() == 1) return there;
    if (!first) first = std::move(there);
  }
  return first;
}

}  // namespace

Result<Done> BranchHistory::move_to(const git::ReadObject& read, const Oid& head) {
  if (head == head_) return Done{};
  for (bool again = !commits_.empty();; again = false) {
    bool met = commits_.empty();
    std::vector<Oid> waiting{head};
    while (!waiting.empty()) {
      const Oid id = waiting.back();
      waiting.pop_back();
      met = met || id == head_;
      if (!commits_.insert(id).second) continue;
      PORTICO_TRY(const auto commit, commit_at(read, id));
      if (commit) waiting.insert(waiting.end(), commit->parents.begin(), commit->parents.end());
    }
    head_ = head;
    if (met || !again) return Done{};
    commits_.clear();  // the branch was rewritten: known commits may no longer belong to it
  }
}

Result<Oid> base_of(const git::ReadObject& read, const BranchHistory& branch, const Oid& draft) {
  for (Oid at = draft;;) {
    if (branch.contains(at)) return at;
    PORTICO_TRY(const auto commit, commit_at(read, at));
    if (!commit || commit->parents.empty()) return Oid{};
    for (std::size_t i = 1; i < commit->parents.size(); ++i)
      if (branch.contains(commit->parents[i])) return commit->parents[i];
    at = commit->parents.front();
  }
}

Result<std::optional<Pristine>> find_pristine(const git::ReadObject& read, const Oid& commit,
                                              std::string_view path, int most_commits) {
  PORTICO_TRY(auto at, look_at(read, commit, path));
  for (int i = 0; i < most_commits && at && !at->tree.is_zero(); ++i) {
    const Trailers trailers = trailers_of(at->commit.message);
    if (trailers.pristine_package == path)
      return std::optional(Pristine{at->id.hex(), at->tree.hex(), trailers.pristine_inputs});
    PORTICO_TRY(at, before(read, *at, path));
  }
  return std::optional<Pristine>();
}

Result<std::vector<Repository::Change>> find_changes(const git::ReadObject& read, const Oid& commit,
                                                     const Oid& until, std::string_view path,
                                                     std::size_t most, bool unchanged) {
  std::vector<Repository::Change> out;
  Oid end_tree;
  if (!until.is_zero()) {
    PORTICO_TRY(const auto end, look_at(read, until, path));
    if (end) end_tree = end->tree;
  }
  PORTICO_TRY(auto at, look_at(read, commit, path));
  for (std::size_t i = 0; i < kMostCommits && at && out.size() < most; ++i) {
    if (at->id == until || (!end_tree.is_zero() && at->tree == end_tree)) break;
    PORTICO_TRY(auto next, before(read, *at, path));
    const std::string& message = at->commit.message;
    const auto note = annotation_of(message, path);
    const int published = note ? revision_of(*note) : 0;
    const bool changed = next ? next->tree != at->tree : !at->tree.is_zero();
    if (changed || (unchanged && note)) {
      Trailers trailers = trailers_of(message);
      out.push_back({at->id.hex(), author_of(at->commit), message.substr(0, message.find('\n')),
                     at->commit.committer.when, note.has_value(), trailers.pristine_package == path,
                     note ? note->workspace : "", published, std::move(trailers.variant),
                     std::move(trailers.decisions)});
    }
    at = std::move(next);
  }
  return out;
}

}  // namespace portico::repo
