#include "repo/internal/git_repository.h"

#include "base/hash.h"
#include "base/remote_host.h"
#include "base/world_error.h"
#include "repo/internal/git_steps.h"
#include "repo/internal/last_changes.h"
#include "repo/internal/load_revision.h"
#include "repo/internal/trees.h"
#include "repo/mirror.h"
#include "repo/names.h"

namespace portico::repo {

using git::ObjectType;
using git::Oid;

constexpr std::size_t kMostPushed = 200;  // most writes in one push: the command line is bounded
constexpr std::size_t kMostMissed = 1'000;
constexpr std::chrono::seconds kMissed{10};  // a remote may expose a pushed commit with a delay

GitRepository::GitRepository(Opened opened, Options options)
    : opened_(std::move(opened)), options_(std::move(options)), packages_(options_.packages) {
  if (packages_ == nullptr)
    packages_ = std::make_shared<Guarded<krm::PackageCache>>(options_.cache_bytes);
}

void GitRepository::rest() { store_->rest(); }

Error no_such_branch(const Opened& opened) {
  return invalid("branch {:?} does not exist in {:?}; create it or set spec.git.createBranch",
                 opened.branch, opened.url);
}

Result<Done> GitRepository::start(bool create_branch) {
  git::StoreOptions store;
  store.log = options_.log;
  store.stopped = options_.stopped;
  store.on_damage = [this](const Error& error) { note_damage(error.what); };
  if (opened_.remote && !opened_.scratch) {
    opened_.remote->patience = options_.remote_patience;
    opened_.remote->stopped = options_.stopped;
    store.batch_plans = kMostPushed;
    store.mirror = true;
    store.push = [this](std::span<const git::RefChange> changes) -> Result<Done> {
      std::vector<git::RefChange> shared;
      for (const git::RefChange& change : changes)
        if (!change.name.starts_with("refs/portico/")) shared.push_back(change);
      return measured("push", [&] { return git::push(opened_.folder, *opened_.remote, shared); });
    };
    store.catch_up = [this] { return fetch_now(); };
  }
  PORTICO_TRY(store_, git::Store::open(opened_.folder, std::move(store)));
  {
    const MutexLock lock(discovering_);
    discovery_.emplace(store_->objects(), opened_.branch, opened_.directory);
  }
  PORTICO_DO(fetch());
  PORTICO_TRY(const auto snapshot, refs_now());
  if (snapshot->find(branch_ref())) return Done{};
  if (!create_branch) return no_such_branch(opened_);
  return make_branch();
}

Result<Done> GitRepository::make_branch() {
  Signature by{std::string(kCommitterName), std::string(kCommitterEmail),
               std::chrono::floor<std::chrono::seconds>(now())};
  return store_->write([&](git::Batch& batch) -> Result<Done> {
    PORTICO_TRY(const Oid head, batch.lock(branch_ref()));
    if (!head.is_zero()) return Done{};  // another writer created it first
    const Oid readme = batch.add(ObjectType::kBlob, "Created by Portico\n");
    const Oid tree =
        batch.add(ObjectType::kTree, git::encode_tree({{git::kModeFile, "README.md", readme}}));
    const std::string text = fmt::format("Initial commit: Creating {} branch\n", opened_.branch);
    const Oid commit = batch.add(ObjectType::kCommit,
                                 git::encode_commit(commit_by(by, opened_.author, tree, {}, text)));
    return batch.set(branch_ref(), commit);
  });
}

Result<Done> GitRepository::fetch() {
  if (!opened_.remote || opened_.scratch) return Done{};
  return store_->exclusively([this] {
    missed_.with([](Missed& missed) { missed.clear(); });
    return fetch_now();
  });
}

Result<Done> GitRepository::know(const std::string& commit) {
  if (!opened_.remote || opened_.scratch || commit.empty()) return Done{};
  PORTICO_TRY(const git::Oid id, git::parse_oid(commit), "commit");
  const auto needs_none = [&] { return store_->objects().has(id) || is_missed(commit); };
  if (needs_none()) return Done{};
  return store_->exclusively([&]() -> Result<Done> {
    if (needs_none()) return Done{};  // another thread fetched it first
    PORTICO_DO(fetch_now());
    if (store_->objects().has(id)) return Done{};
    missed_.with([&](Missed& missed) {
      if (missed.size() >= kMostMissed) missed.clear();
      missed[commit] = now();
    });
    return Done{};
  });
}

bool GitRepository::is_missed(const std::string& commit) const {
  return missed_.with([&](const Missed& missed) {
    const auto at = missed.find(commit);
    return at != missed.end() && now() - at->second < kMissed;
  });
}

TimePoint GitRepository::now() const {
  return options_.clock != nullptr ? options_.clock->now() : SystemClock().now();
}

Result<Done> GitRepository::fetch_now() {
  auto done =
      measured("fetch", [this] { return git::fetch_into_mirror(opened_.folder, *opened_.remote); });
  if (done || done.error().code != Code::kInternal) return done;
  note_damage(done.error().what);
  return unavailable("{}", done.error().what);
}

Result<std::shared_ptr<const git::RefSnapshot>> GitRepository::refs_now() {
  auto snapshot = store_->refs().snapshot();
  if (!snapshot && snapshot.error().code == Code::kInvalid) note_damage(snapshot.error().what);
  return snapshot;
}

void GitRepository::note_damage(const std::string& how) {
  if (!opened_.remote || opened_.scratch || damaged_.exchange(true)) return;
  mark_damaged(opened_.folder, how);
}

Result<Done> GitRepository::measured(const char* verb,
                                     const std::function<Result<Done>()>& operation) const {
  const auto begin = std::chrono::steady_clock::now();
  auto done = operation();
  if (options_.meter == nullptr) return done;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  options_.meter->took("portico_git_operation_duration_seconds",
                       "Duration of fetches from and pushes to a remote, by outcome and host.",
                       {{"verb", verb},
                        {"host", std::string(remote_host(opened_.remote->url))},
                        {"outcome", done ? "ok" : name(done.error().code)}},
                       took.count());
  return done;
}

Result<std::vector<Revision>> GitRepository::discover() {
  std::vector<git::Ref> done_with;
  auto revisions = discover_now(done_with);
  if (done_with.empty()) return revisions;
  // They are already hidden from the result, so failing to remove them does no harm.
  const auto removed = store_->write([&](git::Batch& batch) -> Result<Done> {
    for (const git::Ref& ref : done_with) {
      PORTICO_TRY(const Oid now, batch.lock(ref.name));
      if (now == ref.id) PORTICO_DO(batch.set(ref.name, Oid{}));
    }
    return Done{};
  });
  if (!removed && options_.log)
    options_.log->warning("cannot remove proposals that are already published",
                          {{"repository", opened_.url}, {"error", removed.error().text()}});
  return revisions;
}

Result<std::vector<Revision>> GitRepository::discover_now(std::vector<git::Ref>& done_with) {
  // Read under the lock, so that no thread replaces newer results with older ones.
  const MutexLock lock(discovering_);
  PORTICO_TRY(auto snapshot, refs_now());
  store_->clear_locks_of_the_dead();
  if (snapshot == seen_) return revisions_;
  auto found = discovery_->run(*snapshot);
  // An object that a ref leads to is missing.
  if (!found && (found.error().code == Code::kNotFound || found.error().code == Code::kInternal)) {
    note_damage(found.error().what);
    return refused("{}; repository {:?} is damaged: restore it, or replace it with a clone",
                   found.error().text(), opened_.folder);
  }
  if (!found) return std::move(found).error();
  revisions_ = std::move(found->revisions);
  done_with = std::move(found->done_with);
  PORTICO_DO(add_bases(*snapshot, revisions_));
  seen_ = std::move(snapshot);
  return revisions_;
}

Result<Done> GitRepository::add_bases(const git::RefSnapshot& snapshot,
                                      std::vector<Revision>& revisions) {
  const git::Ref* head = snapshot.find(branch_ref());
  if (!head) return Done{};
  const git::ReadObject read_object = [this](const Oid& id) { return store_->objects().read(id); };
  std::unordered_map<std::string, Base> seen;
  for (Revision& each : revisions) {
    if (each.lifecycle != Lifecycle::kDraft && each.lifecycle != Lifecycle::kProposed) continue;
    if (const auto known = bases_.find(each.commit); known != bases_.end()) {
      each.base_commit = known->second.commit;
      each.base_tree = known->second.tree;
    } else {
      PORTICO_DO(add_base(read_object, head->id, each), each.ref);
    }
    seen.emplace(each.commit, Base{each.base_commit, each.base_tree});
  }
  bases_ = std::move(seen);
  return Done{};
}

Result<Done> GitRepository::add_base(const git::ReadObject& read_object, const Oid& head,
                                     Revision& revision) {
  PORTICO_TRY(const Oid draft, git::parse_oid(revision.commit));
  Oid base;
  {
    const MutexLock lock(walking_);
    PORTICO_DO(history_.move_to(read_object, head));
    PORTICO_TRY(base, base_of(read_object, history_, draft));
  }
  revision.base_commit.clear();
  revision.base_tree.clear();
  if (base.is_zero()) return Done{};
  revision.base_commit = base.hex();
  auto tree = tree_at(revision.base_commit, revision.package);
  if (!tree && tree.error().code == Code::kNotFound) return Done{};
  if (!tree) return std::move(tree).error();
  revision.base_tree = *std::move(tree);
  return Done{};
}

Result<std::optional<Pristine>> GitRepository::pristine_of(const std::string& commit,
                                                           const std::string& package) {
  constexpr int kMostCommits = 1000;
  const git::ReadObject read_object = [this](const Oid& id) { return store_->objects().read(id); };
  PORTICO_TRY(const Oid id, git::parse_oid(commit));
  return find_pristine(read_object, id, path_of(package), kMostCommits);
}

Result<std::vector<Repository::Change>> GitRepository::changes(const std::string& commit,
                                                               const std::string& until,
                                                               const std::string& package,
                                                               std::size_t most) {
  const git::ReadObject read_object = [this](const Oid& id) { return store_->objects().read(id); };
  PORTICO_TRY(const Oid id, git::parse_oid(commit));
  Oid end;
  if (!until.empty()) {
    PORTICO_TRY(end, git::parse_oid(until));
  }
  return find_changes(read_object, id, end, path_of(package), most);
}

Result<std::vector<Repository::Change>> GitRepository::log(const std::string& commit,
                                                           const std::string& package,
                                                           std::size_t most) {
  const git::ReadObject read_object = [this](const Oid& id) { return store_->objects().read(id); };
  PORTICO_TRY(const Oid id, git::parse_oid(commit));
  return find_changes(read_object, id, Oid{}, path_of(package), most, true);
}

Result<Revision> GitRepository::branch_head(const std::string& package) {
  const git::ReadObject read_object = [this](const Oid& id) { return store_->objects().read(id); };
  const std::string path = path_of(package);
  const std::string place = fmt::format("package {:?} on branch {:?}", package, opened_.branch);
  PORTICO_TRY(const auto snapshot, store_->refs().snapshot());
  const git::Ref* head = snapshot->find(branch_ref());
  if (!head) return not_found("branch {:?} no longer exists", opened_.branch).in(place);
  PORTICO_TRY(const git::Commit tip, git::read_commit(read_object, head->id), place);
  PORTICO_TRY(const git::TreeEntry entry, git::find_path(read_object, tip.tree, path), place);
  PORTICO_TRY(const auto changed, LastChanges().find(read_object, head->id, {{path, entry.id}}),
              place);
  const Oid& id = changed.at(path);
  PORTICO_TRY(const git::Commit commit, git::read_commit(read_object, id), place);
  return head_revision(opened_.directory, opened_.branch, *head, path, entry.id, id, commit);
}

Result<std::string> GitRepository::head() {
  PORTICO_TRY(const auto snapshot, store_->refs().snapshot());
  const git::Ref* head = snapshot->find(branch_ref());
  return head == nullptr ? std::string() : head->id.hex();
}

Result<std::shared_ptr<const krm::Package>> GitRepository::read(const std::string& tree) {
  // The key includes the repository, so a tree of another repository is only read there.
  const std::string key = opened_.folder + " " + tree;
  if (auto cached = packages_->with([&](krm::PackageCache& cache) { return cache.find(key); }))
    return cached;
  PORTICO_TRY(const Oid id, git::parse_oid(tree));
  PORTICO_TRY(krm::Package loaded, load_package(store_->objects(), id, options_.limits),
              "tree " + tree);
  auto package = std::make_shared<const krm::Package>(std::move(loaded));
  packages_->with([&](krm::PackageCache& cache) { cache.add(key, package); });
  return package;
}

Result<std::shared_ptr<const krm::Package>> GitRepository::read_some(
    const std::string& tree, const krm::WantedPath& wanted) {
  const std::string key = opened_.folder + " " + tree;
  krm::Package some;
  if (const auto all = packages_->with([&](krm::PackageCache& cache) { return cache.find(key); })) {
    for (const auto& [path, file] : all->files)
      if (wanted(path)) some.files.emplace(path, file);
  } else {
    PORTICO_TRY(const Oid id, git::parse_oid(tree));
    PORTICO_TRY(some, load_package(store_->objects(), id, options_.limits, wanted), "tree " + tree);
  }
  return std::make_shared<const krm::Package>(std::move(some));
}

Result<std::string> GitRepository::tree_at(const std::string& commit, const std::string& package) {
  const git::ReadObject read_object = [this](const Oid& id) { return store_->objects().read(id); };
  const std::string place = fmt::format("package {:?} at commit {}", package, commit);
  PORTICO_TRY(const Oid id, git::parse_oid(commit), place);
  PORTICO_TRY(const git::Commit found, git::read_commit(read_object, id), place);
  PORTICO_TRY(const git::TreeEntry entry, git::find_path(read_object, found.tree, path_of(package)),
              place);
  return entry.id.hex();
}

Repository::Lock GitRepository::lock_of(const Revision& revision) const {
  std::string_view ref = revision.ref;
  for (const std::string_view prefix :
       {std::string_view("refs/heads/"), kTagRefs, std::string_view("refs/portico/")})
    if (ref.starts_with(prefix)) ref.remove_prefix(prefix.size());
  return {opened_.url, path_of(revision.package), std::string(ref), revision.commit};
}

std::string GitRepository::path_of(const std::string& package) const {
  return join_path(opened_.directory, package);
}

std::string GitRepository::draft_name(const std::string& path, const std::string& workspace) const {
  if (opened_.push_drafts) return draft_ref(path, workspace);
  return fmt::format("{}{}/{}", kLocalDraftRefs, path, workspace);
}

std::string GitRepository::proposed_name(const std::string& path,
                                         const std::string& workspace) const {
  if (opened_.push_drafts) return proposed_ref(path, workspace);
  return fmt::format("{}{}/{}", kLocalProposedRefs, path, workspace);
}

std::string GitRepository::deletion_name(const Revision& revision) const {
  const std::string path = path_of(revision.package);
  if (!is_tag(revision)) return deletion_ref(path, opened_.branch);
  return deletion_ref(path, std::string_view(revision.ref).substr(revision.ref.rfind('/') + 1));
}

// Moving a checked-out branch would leave its work tree behind, with every file shown as changed.
Result<Done> GitRepository::check_branch_is_free(const std::string& ref) const {
  if (opened_.work_tree.empty()) return Done{};
  PORTICO_TRY(const std::string head, store_->refs().head_branch());
  if (head != ref) return Done{};
  return invalid(
      "branch {:?} is checked out in {:?}: use a bare repository, or check out another branch "
      "there",
      opened_.branch, opened_.work_tree);
}

}  // namespace portico::repo
