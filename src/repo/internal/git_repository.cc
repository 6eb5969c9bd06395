#include "repo/internal/git_repository.h"

#include "base/hash.h"
#include "base/world_error.h"
#include "repo/commit_text.h"
#include "repo/internal/last_changes.h"
#include "repo/internal/load_revision.h"
#include "repo/internal/trees.h"
#include "repo/mirror.h"
#include "repo/names.h"

namespace portico::repo {
namespace {

using git::ObjectType;
using git::Oid;

// The committer that Porch writes; kpt and Porch clients show it.
constexpr std::string_view kCommitterName = "Package Orchestration Service";
constexpr std::string_view kCommitterEmail = "porch@kpt.dev";
constexpr std::size_t kMostPushed = 200;  // writes of one push: the command line is bounded

git::Commit commit_by(const Signature& by, const Oid& tree, std::vector<Oid> parents,
                      std::string message) {
  git::Commit commit;
  commit.tree = tree;
  commit.parents = std::move(parents);
  commit.author = {by.name, by.email, by.when, 0};
  commit.committer = {std::string(kCommitterName), std::string(kCommitterEmail), by.when, 0};
  if (commit.author.name.empty() && commit.author.email.empty()) commit.author = commit.committer;
  commit.message = std::move(message);
  return commit;
}

Error moved(const std::string& ref, const Oid& found, const std::string& expected) {
  return conflict("{:?} is at {} instead of {}", ref,
                  found.is_zero() ? "nothing" : found.short_hex(),
                  expected.empty() ? "nothing" : expected.substr(0, 8));
}

Result<Done> expect(const Revision& revision, Lifecycle lifecycle, std::string_view doing) {
  if (revision.lifecycle == lifecycle) return Done{};
  return invalid("cannot {} package {:?} workspace {:?}: its lifecycle is {} instead of {}", doing,
                 revision.package, revision.workspace, name(revision.lifecycle), name(lifecycle));
}

bool is_tag(const Revision& revision) { return revision.ref.starts_with(kTagRefs); }

}  // namespace

GitRepository::GitRepository(Opened opened, Options options)
    : opened_(std::move(opened)), options_(std::move(options)), packages_(options_.packages) {
  if (packages_ == nullptr)
    packages_ = std::make_shared<Guarded<krm::PackageCache>>(options_.cache_bytes);
}

void GitRepository::rest() { store_->rest(); }

Result<Done> GitRepository::start(bool create_branch) {
  git::StoreOptions store;
  store.log = options_.log;
  store.stopped = options_.stopped;
  store.on_damage = [this](const Error& error) { note_damage(error.what); };
  if (opened_.remote && !opened_.scratch) {
    opened_.remote->patience = options_.remote_patience;
    opened_.remote->stopped = options_.stopped;
    store.batch_plans = kMostPushed;
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
  if (!create_branch)
    return invalid("branch {:?} does not exist in {:?}; create it or set spec.git.createBranch",
                   opened_.branch, opened_.url);
  return make_branch();
}

Result<Done> GitRepository::make_branch() {
  const SystemClock system;
  const Clock& clock = options_.clock ? *options_.clock : system;
  Signature by{std::string(kCommitterName), std::string(kCommitterEmail),
               std::chrono::floor<std::chrono::seconds>(clock.now())};
  return store_->write([&](git::Batch& batch) -> Result<Done> {
    PORTICO_TRY(const Oid head, batch.lock(branch_ref()));
    if (!head.is_zero()) return Done{};  // somebody else was quicker
    const Oid readme = batch.add(ObjectType::kBlob, "Created by Portico\n");
    const Oid tree =
        batch.add(ObjectType::kTree, git::encode_tree({{git::kModeFile, "README.md", readme}}));
    const std::string text = fmt::format("Initial commit: Creating {} branch\n", opened_.branch);
    const Oid commit =
        batch.add(ObjectType::kCommit, git::encode_commit(commit_by(by, tree, {}, text)));
    return batch.set(branch_ref(), commit);
  });
}

Result<Done> GitRepository::fetch() {
  if (!opened_.remote || opened_.scratch) return Done{};
  return store_->exclusively([this] { return fetch_now(); });
}

Result<Done> GitRepository::fetch_now() {
  auto done = measured("fetch", [this] { return git::fetch(opened_.folder, *opened_.remote); });
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
                       "Time that a fetch from or push to a remote took, by how it ended.",
                       {{"verb", verb}, {"outcome", done ? "ok" : name(done.error().code)}},
                       took.count());
  return done;
}

Result<std::vector<Revision>> GitRepository::discover() {
  // Read under the lock: nobody puts an older state over a newer one.
  const MutexLock lock(discovering_);
  PORTICO_TRY(auto snapshot, refs_now());
  store_->clear_locks_of_the_dead();
  if (snapshot == seen_) return revisions_;
  auto found = discovery_->run(*snapshot);
  // What a ref leads to is not there.
  if (!found && (found.error().code == Code::kNotFound || found.error().code == Code::kInternal)) {
    note_damage(found.error().what);
    return refused("{}; repository {:?} is damaged: restore it, or put a clone in its place",
                   found.error().text(), opened_.folder);
  }
  if (!found) return std::move(found).error();
  revisions_ = *std::move(found);
  PORTICO_DO(add_bases(*snapshot, revisions_));
  seen_ = std::move(snapshot);
  return revisions_;
}

Result<Done> GitRepository::add_bases(const git::RefSnapshot& snapshot,
                                      std::vector<Revision>& revisions) {
  const git::Ref* head = snapshot.find(branch_ref());
  if (!head) return Done{};
  std::unordered_map<std::string, Base> seen;
  for (Revision& each : revisions) {
    if (each.lifecycle != Lifecycle::kDraft && each.lifecycle != Lifecycle::kProposed) continue;
    if (const auto known = bases_.find(each.commit); known != bases_.end()) {
      each.base_commit = known->second.commit;
      each.base_tree = known->second.tree;
    } else {
      PORTICO_DO(add_base(head->id, each), each.ref);
    }
    seen.emplace(each.commit, Base{each.base_commit, each.base_tree});
  }
  bases_ = std::move(seen);
  return Done{};
}

Result<Done> GitRepository::add_base(const Oid& head, Revision& revision) {
  const git::ReadObject read_object = [this](const Oid& id) { return store_->objects().read(id); };
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
  if (!head) return not_found("branch {:?} does not exist any more", opened_.branch).in(place);
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
  // Of this repository: another one's tree is read there only.
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

Result<std::string> GitRepository::tree_at(const std::string& commit, const std::string& package) {
  const git::ReadObject read_object = [this](const Oid& id) { return store_->objects().read(id); };
  const std::string place = fmt::format("package {:?} at commit {}", package, commit);
  PORTICO_TRY(const Oid id, git::parse_oid(commit), place);
  PORTICO_TRY(const git::Commit found, git::read_commit(read_object, id), place);
  PORTICO_TRY(const git::TreeEntry entry, git::find_path(read_object, found.tree, path_of(package)),
              place);
  return entry.id.hex();
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
  if (!head) return not_found("branch {:?} does not exist any more", opened_.branch).in(place);
  if (!text.empty()) {
    PORTICO_TRY(parent, git::parse_oid(text), place);
  } else {
    PORTICO_DO(check_folder_is_free(*snapshot, path), place);
    parent = head->id;
  }
  if (!write.onto_commit.empty()) {
    PORTICO_TRY(onto, git::parse_oid(write.onto_commit), place);
  }

  // Everything that costs is done here, in the caller's own thread; the plan only moves the ref.
  const git::ReadObject read_object = [this](const Oid& id) { return store_->objects().read(id); };
  git::Staging staging;
  PORTICO_TRY(const git::Commit base, git::read_commit(read_object, parent), place);
  PORTICO_TRY(const Oid tree,
              stage_package(write.content, store_->objects(), staging, options_.limits), place);
  git::Commit commit;  // the last one
  const auto add_commit = [&](const Oid& content, std::vector<Oid> parents,
                              const Message& message) -> Result<Oid> {
    PORTICO_TRY(const Oid root, with_subtree(
                                    read_object,
                                    [&](ObjectType type, std::string_view bytes) {
                                      return staging.add(type, bytes);
                                    },
                                    base.tree, path, content));
    PORTICO_TRY(std::string said, commit_text(message, path, write.workspace, 0));
    commit = commit_by(write.author, root, std::move(parents), std::move(said));
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
    if (edited) built.body.clear();  // it is about the merge with the edits
    PORTICO_TRY(id, add_commit(pristine_tree, parents, built), place);
    pristine = Pristine{id.hex(), pristine_tree.hex(), write.inputs};
    if (edited) {
      message.subject = "Bringing local edits back";
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
          return conflict("workspace {:?} of package {:?} is taken: {:?} exists", write.workspace,
                          write.package, other);
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
  // What it has from the commits below.
  if (!fresh && (saved.variant.empty() || write.pristine == nullptr)) {
    PORTICO_TRY(const auto stored, load_revision(read_object, opened_.directory, {ref, id}), place);
    if (stored) saved = *stored;
  }
  PORTICO_DO(add_base(head->id, saved), place);
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
  // A draft that somebody pushed is proposed among the branches, too.
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

Result<Oid> GitRepository::commit_to_branch(git::Batch& batch, const std::string& path,
                                            const Oid& tree, const std::vector<Oid>& more_parents,
                                            const std::string& message, const Signature& by) {
  PORTICO_TRY(const Oid head, batch.lock(branch_ref()));
  if (head.is_zero()) return not_found("branch {:?} does not exist any more", opened_.branch);
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
      ObjectType::kCommit, git::encode_commit(commit_by(by, root, std::move(parents), message)));
  PORTICO_DO(batch.set(branch_ref(), commit));
  return commit;
}

// What a publication must not do: remove files of other packages, or lie among those of one.
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
          "package path {:?} conflicts with what branch {:?} has in that folder: packages cannot "
          "be nested",
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
  // A package of its own in the folder of this one, which the new content does not have.
  PORTICO_TRY(const Oid tree, git::parse_oid(revision.tree));
  const std::string folder = fmt::format("{}{}/", kTagRefs, path);
  const auto [first, last] = snapshot.range(folder);
  for (std::size_t i = first; i < last; ++i) {
    const auto parts = split_last(std::string_view(snapshot.refs[i].name).substr(folder.size()));
    if (!parts) continue;
    PORTICO_TRY(const Oid before, entry_at(root, join_path(path, parts->path)));
    PORTICO_TRY(const Oid after, entry_at(tree, parts->path));
    if (!before.is_zero() && after.is_zero())
      return invalid(
          "package {:?} would be removed from branch {:?}: it lies in the folder of package {:?}",
          join_path(path, parts->path), opened_.branch, path);
  }
  return Done{};
}

// What the branch has of the package must be what the proposal was based on, or it would be lost.
Result<Done> GitRepository::check_base(git::Batch& batch, const git::RefSnapshot& snapshot,
                                       const Revision& proposed, const std::string& path) const {
  const git::ReadObject read_object = [&](const Oid& id) { return batch.read(id); };
  PORTICO_TRY(const Oid head, batch.lock(branch_ref()));
  if (head.is_zero()) return not_found("branch {:?} does not exist any more", opened_.branch);
  PORTICO_TRY(const git::Commit tip, git::read_commit(read_object, head));
  PORTICO_DO(check_nesting(read_object, tip.tree, snapshot, proposed));
  const auto now = git::find_path(read_object, tip.tree, path);
  if (!now && now.error().code != Code::kNotFound) return now.error();
  if (!now || now->id.hex() == proposed.base_tree || now->id.hex() == proposed.tree) return Done{};
  return conflict(
      "branch {:?} has another content of package {:?} than workspace {:?} is based on; rebase it",
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
    return batch.set(proposed.ref, Oid{});
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
  published.author = author_of(commit_by(by, tree, {}, ""));
  return published;
}

Result<Revision> GitRepository::propose_deletion(const Revision& published) {
  PORTICO_DO(expect(published, Lifecycle::kPublished, "propose the deletion of"));
  const std::string marker = deletion_name(published);
  PORTICO_TRY(const Oid commit, git::parse_oid(published.commit));
  const git::Plan plan = [&](git::Batch& batch) -> Result<Done> {
    if (batch.value(published.ref).is_zero())
      return conflict("{:?} does not exist any more", published.ref);
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
    if (now.is_zero()) return conflict("{:?} does not exist any more", marker);
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
    if (marked.is_zero()) return conflict("{:?} does not exist any more", marker);
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

// A package in a folder that holds others would put itself in their place on the branch. Whatever
// lies below the folder and is named by a ref or on the branch is found without looking at all.
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
  return invalid("{:?} on branch {:?} is no package: a package there would replace what it holds",
                 path, opened_.branch);
}

// A checked-out branch that moves would leave its work tree behind, with everything in it shown as
// changed.
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
