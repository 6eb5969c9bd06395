#include "repo/upstreams.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/secrets.h"
#include "base/world_error.h"
#include "git/local.h"
#include "git/object_db.h"
#include "git/refs.h"
#include "git/remote.h"
#include "git/store.h"
#include "repo/internal/local_path.h"
#include "repo/internal/trees.h"
#include "repo/names.h"

namespace portico::repo {
namespace {

using git::Oid;

std::string_view without_prefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

/// One repository to read from.
class Source {
 public:
  static Result<Source> open(git::RemoteAddress remote, const UpstreamOptions& options) {
    remote.patience = options.patience;
    remote.stopped = options.stopped;
    const std::string url = remote.url;
    Source source(std::move(remote));
    std::string folder;
    if (const auto path = local_path(url)) {
      auto local = git::find_local(*path);
      // As git does for a repository called "web" that is stored as "web.git".
      if (!local && local.error().code == Code::kNotFound)
        if (auto bare = git::find_local(*path + ".git")) local = std::move(bare);
      if (!local && local.error().code == Code::kNotFound) return std::move(local).error();
      if (local) folder = local->folder;  // else in a format that only git itself can read
    }
    if (folder.empty()) {
      if (options.cache.empty()) return internal("{:?} needs a folder for its mirror", url);
      source.mirrored_ = true;
      folder = options.cache + "/" + sha256_hex(source.remote_.url).substr(0, 32) + ".git";
      if (auto there = git::find_local(folder); !there) {
        if (there.error().code != Code::kNotFound) return std::move(there).error();
        const auto made = git::init_bare(folder, "main", options.stopped);
        // kConflict: another process created it first.
        if (!made && made.error().code != Code::kConflict) return Error(made.error()).in("cache");
      }
    }
    source.folder_ = std::move(folder);
    PORTICO_DO(source.look_again());
    return source;
  }

  struct Found {
    std::string ref;
    Oid commit;
  };

  Result<Found> find(const krm::GitLocation& where, const std::vector<std::string>& parts) {
    if (!where.commit.empty()) {
      const auto id = git::parse_oid(where.commit);
      if (!id) return invalid("{:?} is not a commit id", where.commit);
      if (!has(*id)) PORTICO_DO(fetch());
      if (!has(*id)) return not_found("commit {:?} not found in {:?}", where.commit, shown());
      return Found{where.ref, *id};
    }
    if (const auto id = git::parse_oid(where.ref); id && has(*id)) return Found{where.ref, *id};
    PORTICO_DO(fetch());
    std::string ref = where.ref;
    if (ref.empty()) {
      PORTICO_TRY(ref, default_branch());
    }
    PORTICO_TRY(const auto refs, refs_->snapshot());
    for (std::size_t count = parts.size(); count > 0; --count) {
      std::string tag;
      for (std::size_t i = 0; i < count; ++i) tag += parts[i] + "/";
      tag += ref;
      if (const git::Ref* found = refs->find("refs/tags/" + tag))
        return peeled({tag, found->id}, where.ref);
    }
    for (const std::string& name :
         {"refs/heads/" + std::string(without_prefix(ref, "refs/heads/")),
          "refs/tags/" + std::string(without_prefix(ref, "refs/tags/")), ref})
      if (const git::Ref* found = refs->find(name)) return peeled({ref, found->id}, where.ref);
    if (auto id = objects_->find_by_prefix(ref)) return peeled({ref, *id}, where.ref);
    return not_found("branch, tag or commit {:?} not found in {:?}", ref, shown());
  }

  Result<krm::Package> package(const Oid& commit, const std::string& directory,
                               const Limits& limits) {
    const auto read = [this](const Oid& id) { return objects_->read(id); };
    PORTICO_TRY(const git::Commit head, git::read_commit(read, commit));
    PORTICO_TRY(const std::string path, clean_directory(directory), "directory");
    auto entry = git::find_path(read, head.tree, path);
    if (!entry && entry.error().code == Code::kNotFound)
      return not_found("path {:?} does not exist in repository {:?}", "/" + path, shown());
    if (!entry) return std::move(entry).error();
    if (!entry->is_tree())
      return invalid("path {:?} in repository {:?} is not a directory", "/" + path, shown());
    return load_package(*objects_, entry->id, limits);
  }

 private:
  explicit Source(git::RemoteAddress remote) : remote_(std::move(remote)) {}

  std::string shown() const { return without_secrets(remote_.url); }
  bool has(const Oid& id) const { return objects_->has(id); }

  Result<Done> look_again() {
    PORTICO_TRY(objects_, git::ObjectDb::open(folder_));
    refs_ = std::make_unique<git::RefReader>(folder_);
    return Done{};
  }

  Result<Done> fetch() {
    if (!mirrored_ || fetched_) return Done{};
    auto done = git::fetch_alone(folder_, remote_);
    // kpt drops ".git" from the URLs it writes, but some servers require it.
    if (!done && remedy_of(done.error()) != Remedy::kRetry && !remote_.url.ends_with(".git")) {
      git::RemoteAddress other = remote_;
      other.url += ".git";
      if (git::fetch_alone(folder_, other)) {
        remote_ = std::move(other);
        done = Done{};
      }
    }
    if (!done) return done;
    fetched_ = true;
    return look_again();
  }

  Result<std::string> default_branch() {
    if (mirrored_) return git::default_branch(remote_);
    PORTICO_TRY(std::string name, refs_->head_branch());
    if (name.empty())
      return not_found("HEAD of {:?} does not point to a branch; specify a version", shown());
    return std::string(without_prefix(name, "refs/heads/"));
  }

  Result<Found> peeled(Found found, const std::string& asked) const {
    PORTICO_TRY(
        found.commit,
        git::peel_to_commit([this](const Oid& id) { return objects_->read(id); }, found.commit),
        asked);
    return found;
  }

  git::RemoteAddress remote_;
  std::string folder_;
  bool mirrored_ = false, fetched_ = false;
  std::unique_ptr<git::ObjectDb> objects_;
  std::unique_ptr<git::RefReader> refs_;
};

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) parts.emplace_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

}  // namespace

class Upstreams::Impl {
 public:
  explicit Impl(UpstreamOptions options) : options_(std::move(options)) {}

  Result<std::string> take_login(const std::string& url) {
    PORTICO_TRY(git::RemoteAddress remote, git::parse_remote(url));
    std::string bare = remote.url;
    if (!remote.username.empty() || !remote.password.empty())
      logins_.insert_or_assign(bare, std::move(remote));
    return bare;
  }

  Result<UpstreamVersion> read(const krm::GitLocation& where) {
    auto source = sources_.find(where.repo);
    if (source == sources_.end()) {
      PORTICO_TRY(git::RemoteAddress remote, git::parse_remote(where.repo));
      if (const auto login = logins_.find(remote.url); login != logins_.end())
        remote = login->second;
      PORTICO_TRY(Source opened, Source::open(std::move(remote), options_));
      source = sources_.emplace(where.repo, std::move(opened)).first;
    }
    PORTICO_TRY(Source::Found found, source->second.find(where, parts_of(where.directory)));
    UpstreamVersion version;
    PORTICO_TRY(version.package,
                source->second.package(found.commit, where.directory, options_.limits));
    version.ref = std::move(found.ref);
    version.commit = found.commit.hex();
    return version;
  }

 private:
  UpstreamOptions options_;
  std::map<std::string, git::RemoteAddress> logins_;  // by URL
  std::map<std::string, Source> sources_;
};

Upstreams::Upstreams(UpstreamOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Upstreams::~Upstreams() = default;

Result<std::string> Upstreams::take_login(const std::string& url) { return impl_->take_login(url); }

Result<UpstreamVersion> Upstreams::read(const krm::GitLocation& where) {
  return impl_->read(where);
}

}  // namespace portico::repo
