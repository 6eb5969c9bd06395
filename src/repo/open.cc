#include <fmt/ranges.h>

#include <filesystem>

#include "base/hash.h"
#include "base/secrets.h"
#include "git/local.h"
#include "git/ref_name.h"
#include "git/scratch.h"
#include "repo/internal/git_repository.h"
#include "repo/internal/load_revision.h"
#include "repo/internal/local_path.h"
#include "repo/mirror.h"
#include "repo/names.h"

namespace portico::repo {
namespace {

// Finds the repository; for a remote, without the folder of its mirror.
Result<Opened> locate(const Location& location, const Options& options) {
  Opened opened;
  PORTICO_TRY(git::RemoteAddress remote, git::parse_remote(location.url));
  opened.url = without_secrets(remote.url);
  opened.author.name = location.author.empty() ? location.email : location.author;
  opened.author.email = location.email;
  opened.branch = location.branch.empty() ? "main" : location.branch;
  PORTICO_DO(git::check_ref_name("refs/heads/" + opened.branch), "branch");
  for (const std::string_view prefix : kRevisionPrefixes)
    if (("refs/heads/" + opened.branch + "/").starts_with(prefix))
      return invalid("branch {:?} is reserved for drafts", opened.branch);
  if (("refs/heads/" + opened.branch + "/").starts_with(kDeletionRefs))
    return invalid("branch {:?} is reserved for proposed deletions", opened.branch);
  PORTICO_TRY(opened.directory, clean_directory(location.directory));

  // Drafts that are to stay local must not be stored in the repository that everyone uses.
  const std::optional<std::string> path = local_path(location.url);
  if (path && !options.local)
    return invalid("{:?} is a local path on the server; specify a repository by URL", opened.url);
  if (path && location.push_drafts && !options.always_mirror) {
    PORTICO_TRY(git::LocalRepository local, git::find_local(*path));
    opened.folder = std::move(local.folder);
    opened.work_tree = std::move(local.work_tree);
    return opened;
  }
  if (!location.username.empty()) remote.username = location.username;
  if (!location.password.empty()) remote.password = location.password;
  remote.bearer_token = location.bearer_token;
  opened.remote = std::move(remote);
  opened.push_drafts = location.push_drafts;
  return opened;
}

Result<Done> add_mirror(Opened& opened, const std::string& mirror, const Options& options) {
  if (mirror.empty()) return internal("{:?} needs a folder for its mirror", opened.url);
  opened.folder = mirror;
  if (auto there = git::find_local(mirror); !there) {
    if (there.error().code != Code::kNotFound) return std::move(there).error();
    if (!options.scratch.empty()) return Done{};
    PORTICO_DO(git::init_bare(mirror, opened.branch, options.stopped), "mirror");
  }
  return Done{};
}

Result<bool> has_branch(Opened& opened, const Options& options) {
  const std::string ref = "refs/heads/" + opened.branch;
  if (opened.remote) {
    opened.remote->patience = options.remote_patience;
    opened.remote->stopped = options.stopped;
    return git::has_ref(*opened.remote, ref);
  }
  PORTICO_TRY(const auto refs, git::RefReader(opened.folder).snapshot());
  return refs->find(ref) != nullptr;
}

// Prepares the scratch repository under a temporary name and renames it, so that a concurrent open
// finds it complete.
Result<Done> move_to_scratch(Opened& opened, const Options& options) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string folder =
      options.scratch + "/" +
      sha256_hex(fs::weakly_canonical(opened.folder, error).string()).substr(0, 16) + ".git";
  if (!fs::exists(folder, error)) {
    std::string fresh = folder + ".XXXXXX";
    if (mkdtemp(fresh.data()) == nullptr)
      return unavailable("cannot create {:?}: {}", fresh, std::generic_category().message(errno));
    if (opened.remote && !fs::exists(opened.folder, error))
      PORTICO_DO(git::init_bare(fresh, opened.branch, options.stopped), "scratch");
    else
      PORTICO_DO(git::make_scratch(opened.folder, fresh), "scratch");
    if (opened.remote) {
      opened.remote->patience = options.remote_patience;
      opened.remote->stopped = options.stopped;
      PORTICO_DO(git::fetch(fresh, *opened.remote));
    }
    fs::rename(fresh, folder, error);
    if (error && !fs::exists(folder))
      return unavailable("cannot create {:?}: {}", folder, error.message());
  }
  opened.folder = folder;
  opened.scratch = true;
  return Done{};
}

// Replaces a mirror that was found to be damaged.
Result<Done> renew_if_damaged(const Opened& opened, const Options& options) {
  const std::string how = damage_of(opened.folder);
  if (how.empty()) return Done{};
  git::RemoteAddress remote = *opened.remote;
  remote.patience = options.remote_patience;
  remote.stopped = options.stopped;
  PORTICO_TRY(const Renewed renewed, renew_mirror(opened.folder, remote, opened.branch));
  if (!options.log) return Done{};
  if (renewed.lost.empty())
    options.log->warning("mirror refetched", {{"repository", opened.url}, {"because", how}});
  else
    options.log->error("mirror refetched, local drafts could not be read",
                       {{"repository", opened.url},
                        {"because", how},
                        {"drafts", fmt::format("{}", fmt::join(renewed.lost, " "))},
                        {"kept", renewed.kept}});
  return Done{};
}

}  // namespace

Result<std::shared_ptr<Repository>> open(const Location& location, const std::string& mirror,
                                         const Options& options) {
  PORTICO_TRY(Opened opened, locate(location, options));
  const std::string place = opened.url;
  if (opened.remote) PORTICO_DO(add_mirror(opened, mirror, options));
  if (!options.scratch.empty()) PORTICO_DO(move_to_scratch(opened, options), place);
  for (int attempt = 0;; ++attempt) {
    if (opened.remote && !opened.scratch) PORTICO_DO(renew_if_damaged(opened, options), place);
    auto repository = std::make_shared<GitRepository>(opened, options);
    auto started = repository->start(location.create_branch);
    if (attempt == 0 && repository->is_damaged()) continue;
    if (started) return std::shared_ptr<Repository>(std::move(repository));
    return std::move(started).error().in(place);
  }
}

Result<Done> check(const Location& location, const Options& options) {
  PORTICO_TRY(Opened opened, locate(location, options));
  PORTICO_TRY(const bool found, has_branch(opened, options), opened.url);
  if (!found && !location.create_branch) return no_such_branch(opened).in(opened.url);
  return Done{};
}

void clear_locks_of_the_dead(const std::string& url) {
  const auto path = local_path(url);
  if (!path) return;
  if (const auto local = git::find_local(*path)) git::clear_locks_of_the_dead(local->folder);
}

}  // namespace portico::repo
