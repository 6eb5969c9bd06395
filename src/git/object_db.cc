#include "git/object_db.h"

#include <git2.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/world_error.h"
#include "git/internal/loose_objects.h"
#include "git/internal/pack_list.h"

namespace portico::git {
namespace {

std::string last_error() {
  const git_error* error = git_error_last();
  return error && error->message ? error->message : "no reason given";
}

// libgit2 counts its users; each pool is one.
struct Library {
  Library() {
    git_libgit2_init();
    // Of all handles together; its own limit is 256 MB.
    static const int limited = git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, ssize_t{32} << 20);
    static_cast<void>(limited);
  }
  ~Library() { git_libgit2_shutdown(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

// The packs of a repository and its alternates.
struct Handle {
  git_odb* odb = nullptr;
  std::shared_ptr<const PackList> packs;
  std::uint64_t epoch = 0;

  Handle() = default;
  Handle(Handle&& other) noexcept
      : odb(std::exchange(other.odb, nullptr)), packs(std::move(other.packs)), epoch(other.epoch) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(odb, other.odb);
    std::swap(packs, other.packs);
    std::swap(epoch, other.epoch);
    return *this;
  }
  ~Handle() { git_odb_free(odb); }
};

git_oid to_git(const Oid& id) {
  git_oid out;
  std::memcpy(out.id, id.bytes.data(), id.bytes.size());
  return out;
}

}  // namespace

class ObjectDb::Pool {
 public:
  Pool(std::string folder, OnDamage on_damage)
      : folder_(std::move(folder)), on_damage_(std::move(on_damage)) {}

  /// Whether it is a repository of a format that is known here.
  Result<Done> look() {
    git_repository* repository = nullptr;
    const int status = git_repository_open_ext(&repository, folder_.c_str(),
                                               GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
    git_repository_free(repository);
    if (status != 0)
      return invalid("{:?} is not a git repository that can be read: {}", folder_, last_error());
    folders_ = objects_folders(folder_ + "/objects");
    lister_.emplace(folders_);
    return Done{};
  }
  const std::vector<std::string>& folders() const { return folders_; }

  Error damaged(const Error& how) const {
    Error out = refused("{}; repository {:?} is damaged: restore it, or put a clone in its place",
                        how.what, folder_);
    if (on_damage_) on_damage_(out);
    return out;
  }

  Result<Handle> take() {
    std::optional<Handle> handle = idle_.with([](Idle& idle) -> std::optional<Handle> {
      if (idle.handles.empty()) return std::nullopt;
      Handle last = std::move(idle.handles.back());
      idle.handles.pop_back();
      return last;
    });
    if (handle) return std::move(*handle);
    return fresh();
  }

  /// With the packs that are there now.
  Result<Handle> fresh() {
    Handle handle;
    handle.epoch = idle_.with([](Idle& idle) { return idle.epoch; });
    handle.packs = lister_->look();
    // Only packs are read through libgit2, and only those with a whole index: it goes on for ever
    // with the file of a loose object that is cut off.
    int status = git_odb_new(&handle.odb);
    int priority = static_cast<int>(handle.packs->indexes.size());
    for (const std::string& index : handle.packs->indexes) {
      git_odb_backend* pack = nullptr;
      // One that went meanwhile is missed by whoever looks for what it had.
      if (status == 0 && git_odb_backend_one_pack(&pack, index.c_str()) == 0)
        status = git_odb_add_backend(handle.odb, pack, priority--);
    }
    if (status != 0)
      return invalid("the objects of {:?} cannot be read: {}", folder_, last_error());
    return handle;
  }

  /// Whether there are other packs now than those that the handle knows.
  bool is_stale(const Handle& handle) { return lister_->look() != handle.packs; }

  void put(Handle handle) {
    idle_.with([&](Idle& idle) {
      if (handle.epoch == idle.epoch && idle.handles.size() < kMostIdle)
        idle.handles.push_back(std::move(handle));
    });
  }

  void forget() {
    std::vector<Handle> old;
    idle_.with([&](Idle& idle) {
      ++idle.epoch;
      old.swap(idle.handles);
    });
  }

 private:
  static constexpr std::size_t kMostIdle = 32;
  struct Idle {
    std::vector<Handle> handles;
    std::uint64_t epoch = 0;
  };

  Library library_;
  const std::string folder_;
  const OnDamage on_damage_;
  std::vector<std::string> folders_;  // its "objects" and those of its alternates
  std::optional<PackLister> lister_;
  Guarded<Idle> idle_;
};

ObjectDb::ObjectDb(std::unique_ptr<Pool> pool) : pool_(std::move(pool)) {}
ObjectDb::~ObjectDb() = default;

Result<std::unique_ptr<ObjectDb>> ObjectDb::open(const std::string& folder, OnDamage on_damage) {
  auto pool = std::make_unique<Pool>(folder, std::move(on_damage));
  PORTICO_DO(pool->look());
  PORTICO_TRY(Handle handle, pool->fresh());
  pool->put(std::move(handle));
  return std::unique_ptr<ObjectDb>(new ObjectDb(std::move(pool)));
}

namespace {

// nullopt where no pack that the handle knows has it.
Result<std::optional<Object>> read_packed(const Handle& handle, const Oid& id, std::size_t limit) {
  const git_oid oid = to_git(id);
  if (git_odb_exists_ext(handle.odb, &oid, GIT_ODB_LOOKUP_NO_REFRESH) != 1)
    return std::optional<Object>{};
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  int status = git_odb_read_header(&size, &type, handle.odb, &oid);
  if (status == 0 && size > limit)
    return invalid("git object {} has {} bytes, more than {}", id.hex(), size, limit);
  git_odb_object* object = nullptr;
  if (status == 0) status = git_odb_read(&object, handle.odb, &oid);
  if (status == GIT_ENOTFOUND) return std::optional<Object>{};
  if (status != 0) return internal("git object {} cannot be read: {}", id.hex(), last_error());
  Object out;
  out.type = static_cast<ObjectType>(git_odb_object_type(object));
  out.bytes.assign(static_cast<const char*>(git_odb_object_data(object)),
                   git_odb_object_size(object));
  git_odb_object_free(object);
  return std::optional<Object>(std::move(out));
}

}  // namespace

Result<Object> ObjectDb::read(const Oid& id, std::size_t limit) const {
  PORTICO_TRY(Handle handle, pool_->take());
  // Where one place has it damaged, another one may have it whole.
  std::optional<Error> damage;
  const auto found = [&](Result<std::optional<Object>>& read) {
    if (read) return read->has_value();
    if (read.error().code != Code::kInternal) return true;
    if (!damage) damage = std::move(read).error();
    return false;
  };
  const auto give = [&](Result<std::optional<Object>> read) -> Result<Object> {
    pool_->put(std::move(handle));
    if (!read) return std::move(read).error();
    return **std::move(read);
  };
  auto read = read_packed(handle, id, limit);
  if (found(read)) return give(std::move(read));
  for (const std::string& folder : pool_->folders()) {
    read = read_loose_object(folder, id, limit);
    if (found(read)) return give(std::move(read));
  }
  // It may be in a new pack: of ours, or of another process that removed the old one while we
  // looked at it.
  if (pool_->is_stale(handle)) {
    PORTICO_TRY(handle, pool_->fresh());
    read = read_packed(handle, id, limit);
    if (found(read)) return give(std::move(read));
  }
  if (!damage && !handle.packs->damaged.empty())
    damage =
        internal("git object {} cannot be read: {:?} is damaged", id.hex(), handle.packs->damaged);
  pool_->put(std::move(handle));
  if (damage) return pool_->damaged(*damage);
  return not_found("there is no git object {}", id.hex());
}

Result<std::string> ObjectDb::read(const Oid& id, ObjectType type, std::size_t limit) const {
  PORTICO_TRY(Object object, read(id, limit));
  if (object.type != type)
    return invalid("git object {} is a {}, not a {}", id.hex(), name(object.type), name(type));
  return std::move(object.bytes);
}

Result<Oid> ObjectDb::find_by_prefix(std::string_view digits) const {
  git_oid prefix;
  if (digits.size() < GIT_OID_MINPREFIXLEN || digits.size() > GIT_OID_HEXSZ ||
      git_oid_fromstrn(&prefix, digits.data(), digits.size()) != 0)
    return not_found("{:?} is no part of a git object id", digits);
  PORTICO_TRY(Handle handle, pool_->take());
  if (pool_->is_stale(handle)) {
    PORTICO_TRY(handle, pool_->fresh());
  }
  git_oid packed;
  const int status = git_odb_exists_prefix(&packed, handle.odb, &prefix, digits.size());
  pool_->put(std::move(handle));
  std::set<Oid> found;
  if (status == 0) {
    Oid id;
    std::memcpy(id.bytes.data(), packed.id, id.bytes.size());
    found.insert(id);
  }
  std::string small(digits);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string& folder : pool_->folders())
    for (const Oid& id : find_loose_objects(folder, small)) found.insert(id);
  if (status == GIT_EAMBIGUOUS || found.size() > 1)
    return invalid("several git objects begin with {:?}", digits);
  if (found.empty()) return not_found("there is no git object {:?}", digits);
  return *found.begin();
}

bool ObjectDb::has(const Oid& id) const {
  auto handle = pool_->take();
  if (!handle) return false;
  const git_oid oid = to_git(id);
  const bool packed = git_odb_exists_ext(handle->odb, &oid, GIT_ODB_LOOKUP_NO_REFRESH) == 1;
  pool_->put(*std::move(handle));
  return packed ||
         std::any_of(pool_->folders().begin(), pool_->folders().end(),
                     [&](const std::string& folder) { return has_loose_object(folder, id); });
}

void ObjectDb::forget_handles() { pool_->forget(); }

Result<Commit> read_commit(const ReadObject& read, const Oid& id) {
  PORTICO_TRY(const Object object, read(id));
  if (object.type != ObjectType::kCommit)
    return invalid("git object {} is a {}, not a commit", id.hex(), name(object.type));
  return parse_commit(object.bytes);
}

Result<Oid> peel_to_commit(const ReadObject& read, const Oid& id) {
  Oid at = id;
  for (int depth = 0; depth < 16; ++depth) {
    PORTICO_TRY(const Object object, read(at));
    if (object.type == ObjectType::kCommit) return at;
    if (object.type != ObjectType::kTag)
      return invalid("git object {} is a {}, not a commit", at.hex(), name(object.type));
    PORTICO_TRY(at, parse_tag_target(object.bytes), at.hex());
  }
  return invalid("git tag {} points to more than 16 tags in a row", id.hex());
}

Result<TreeEntry> find_path(const ReadObject& read, const Oid& tree, std::string_view path) {
  TreeEntry at{kModeTree, "", tree};
  while (!path.empty()) {
    if (!at.is_tree()) return not_found("{:?} is not a folder", at.name);
    const auto object = read(at.id);
    if (!object && object.error().code == Code::kNotFound)
      return internal("tree {} is missing", at.id.hex());
    if (!object) return object.error();
    if (object->type != ObjectType::kTree)
      return invalid("git object {} is a {}, not a tree", at.id.hex(), name(object->type));
    const std::size_t slash = path.find('/');
    PORTICO_TRY(at, find_in_tree(object->bytes, path.substr(0, slash)));
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  }
  return at;
}

}  // namespace portico::git
