#include "repo/internal/git_steps.h"

#include "repo/commit_text.h"
#include "repo/internal/load_revision.h"
#include "repo/names.h"

namespace portico::repo {

using git::Oid;

git::Commit commit_by(const Signature& by, const git::Person& author, const Oid& tree,
                      std::vector<Oid> parents, std::string message) {
  git::Commit commit;
  commit.tree = tree;
  commit.parents = std::move(parents);
  commit.author = {by.name, by.email, by.when, 0};
  commit.committer = {std::string(kCommitterName), std::string(kCommitterEmail), by.when, 0};
  if (commit.author.name.empty() && commit.author.email.empty()) commit.author = commit.committer;
  commit.message = std::move(message);
  if (author.name.empty()) return commit;
  if (commit.author.name != kCommitterName)
    commit.message = with_user(std::move(commit.message), author_of(commit));
  commit.author.name = author.name;
  commit.author.email = author.email;
  return commit;
}

Error moved(const std::string& ref, const Oid& found, const std::string& expected) {
  return conflict("{:?} is at {} but expected {}", ref,
                  found.is_zero() ? "nothing" : found.short_hex(),
                  expected.empty() ? "nothing" : expected.substr(0, 8));
}

Result<Done> expect(const Revision& revision, Lifecycle lifecycle, std::string_view doing) {
  if (revision.lifecycle == lifecycle) return Done{};
  return invalid("cannot {} package {:?} workspace {:?}: its lifecycle is {} instead of {}", doing,
                 revision.package, revision.workspace, name(revision.lifecycle), name(lifecycle));
}

bool is_tag(const Revision& revision) { return revision.ref.starts_with(kTagRefs); }

}  // namespace portico::repo
