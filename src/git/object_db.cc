#include "git/object_db.h"

#include <git2.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/guarded.h"
#include "base/world_error.h"
#include "git/internal/file.h"
#include "git/internal/loose_objects.h"
#include "git/internal/pack_list.h"

namespace portico::git {
namespace {

constexpr std::size_t kLeastDigits = 4, kMostDigits = 40;  // length of an id prefix

std::string last_error() {
  const git_error* error = git_error_last();
  return error && error->message ? error->message : "unknown error";
}

// libgit2 counts initializations; each pool makes one.
struct Library {
  Library() {
    git_libgit2_init();
    // For all handles together; libgit2's default is 256 MB.
    static const int limited = git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, ssize_t{32} << 20);
    static_cast<void>(limited);
  }
  ~Library() { git_libgit2_shutdown(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

struct FreeOdb {
  void operator()(git_odb* odb) const { git_odb_free(odb); }
};
using Odb = std::unique_ptr<git_odb, FreeOdb>;

// What one thread reads packs through: one libgit2 database per pack. A single database with all
// packs would ask each pack for every object, and format an error message for each pack without it.
struct Handle {
  std::map<std::string, Odb> packs;  // by the path of the index
  std::uint64_t epoch = 0;
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

  /// Checks that the folder is a repository of a supported format.
  Result<Done> look() {
    // libgit2 would block on a named pipe until something writes into it.
    for (const char* file : {"/config", "/HEAD", "/commondir", "/gitdir"})
      PORTICO_DO(check_regular(folder_ + file));
    git_repository* repository = nullptr;
    const int status = git_repository_open_ext(&repository, folder_.c_str(),
                                               GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
    git_repository_free(repository);
    if (status != 0) return invalid("cannot open git repository {:?}: {}", folder_, last_error());
    folders_ = objects_folders(folder_ + "/objects");
    lister_.emplace(folders_, [this](const std::string& index) {
      static_cast<void>(damaged(internal("{:?} or its pack is damaged", index)));
    });
    return Done{};
  }
  const std::vector<std::string>& folders() const { return folders_; }

  Error damaged(const Error& how) const {
    Error out = refused("{}; repository {:?} is damaged: restore it, or replace it with a clone",
                        how.what, folder_);
    if (on_damage_) on_damage_(out);
    return out;
  }

  Handle take() {
    return idle_.with([](Idle& idle) {
      if (idle.handles.empty()) return Handle{{}, idle.epoch};
      Handle last = std::move(idle.handles.back());
      idle.handles.pop_back();
      return last;
    });
  }
  PackLister& packs() { return *lister_; }

  void put(Handle handle) {
    idle_.with([&](Idle& idle) {
      if (handle.epoch == idle.epoch && idle.handles.size() < kMostIdle)
        idle.handles.push_back(std::move(handle));
    });
  }

  /// Lists the packs again. If some of `known` are gone, closes the handles that keep their files
  /// open.
  std::shared_ptr<const PackList> look_again(const PackList& known) {
    auto now = lister_->look();
    for (const auto& index : known.indexes)
      if (std::find(now->indexes.begin(), now->indexes.end(), index) == now->indexes.end()) {
        close_handles();
        break;
      }
    return now;
  }

  void forget() {
    close_handles();
    lister_->rest();
  }

 private:
  static constexpr std::size_t kMostIdle = 32;
  struct Idle {
    std::vector<Handle> handles;
    std::uint64_t epoch = 0;
  };

  // Handles in use are closed when they are returned.
  void close_handles() {
    std::vector<Handle> old;
    idle_.with([&](Idle& idle) {
      ++idle.epoch;
      old.swap(idle.handles);
    });
  }

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
  return std::unique_ptr<ObjectDb>(new ObjectDb(std::move(pool)));
}

namespace {

// libgit2 reads only packs whose index is undamaged: it loops forever on a truncated loose object
// file, and it trusts an index. Returns null if the pack has disappeared. libgit2 also maps both
// files, and reading a map beyond the end of its file kills the process, so files that were
// replaced or truncated are not opened.
git_odb* open_pack(Handle& handle, const PackIndex& index) {
  if (!index.is_current()) {
    handle.packs.erase(index.path());
    return nullptr;
  }
  Odb& odb = handle.packs[index.path()];
  if (odb != nullptr) return odb.get();
  git_odb* fresh = nullptr;
  git_odb_backend* pack = nullptr;
  if (git_odb_new(&fresh) != 0) return nullptr;
  Odb owned(fresh);
  if (git_odb_backend_one_pack(&pack, index.path().c_str()) != 0 ||
      git_odb_add_backend(fresh, pack, 1) != 0)
    return nullptr;
  odb = std::move(owned);
  return odb.get();
}

// nullopt if the pack does not have the object after all.
Result<std::optional<Object>> read_from(git_odb* odb, const Oid& id, std::size_t limit) {
  const git_oid oid = to_git(id);
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  int status = git_odb_read_header(&size, &type, odb, &oid);
  if (status == 0 && size > limit)
    return invalid("git object {} has {} bytes, more than {}", id.hex(), size, limit);
  git_odb_object* object = nullptr;
  if (status == 0) status = git_odb_read(&object, odb, &oid);
  if (status == GIT_ENOTFOUND) return std::optional<Object>{};
  if (status != 0) return internal("git object {} cannot be read: {}", id.hex(), last_error());
  Object out;
  out.type = static_cast<ObjectType>(git_odb_object_type(object));
  out.bytes.assign(static_cast<const char*>(git_odb_object_data(object)),
                   git_odb_object_size(object));
  git_odb_object_free(object);
  return std::optional<Object>(std::move(out));
}

// nullopt if no pack of the list has the object. If one copy is damaged, another pack may have a
// good one.
Result<std::optional<Object>> read_packed(Handle& handle, const PackList& packs, const Oid& id,
                                          std::size_t limit) {
  std::optional<Error> damage;
  for (const auto& index : packs.indexes) {
    git_odb* const odb = index->has(id) ? open_pack(handle, *index) : nullptr;
    if (odb == nullptr) continue;
    auto read = read_from(odb, id, limit);
    if (read ? read->has_value() : read.error().code != Code::kInternal) return read;
    if (!read && !damage) damage = std::move(read).error();
  }
  if (damage) return *std::move(damage);
  return std::optional<Object>{};
}

}  // namespace

Result<Object> ObjectDb::read(const Oid& id, std::size_t limit) const {
  Handle handle = pool_->take();
  auto packs = pool_->packs().known();
  // If one copy is damaged, another place may have a good one.
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
  auto read = read_packed(handle, *packs, id, limit);
  if (found(read)) return give(std::move(read));
  for (const std::string& folder : pool_->folders()) {
    read = read_loose_object(folder, id, limit);
    if (found(read)) return give(std::move(read));
  }
  // It may be in a new pack: written by this process, or by another one that removed the old pack
  // during this lookup.
  if (const auto now = pool_->look_again(*packs); now != packs) {
    packs = now;
    read = read_packed(handle, *packs, id, limit);
    if (found(read)) return give(std::move(read));
  }
  if (!damage && !packs->damaged.empty())
    damage = internal("git object {} cannot be read: {:?} is damaged", id.hex(), packs->damaged);
  pool_->put(std::move(handle));
  if (damage) return pool_->damaged(*damage);
  return not_found("git object {} not found", id.hex());
}

Result<std::string> ObjectDb::read(const Oid& id, ObjectType type, std::size_t limit) const {
  PORTICO_TRY(Object object, read(id, limit));
  if (object.type != type)
    return invalid("git object {} is a {}, not a {}", id.hex(), name(object.type), name(type));
  return std::move(object.bytes);
}

Result<Oid> ObjectDb::find_by_prefix(std::string_view digits) const {
  std::string small(digits);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (small.size() < kLeastDigits || small.size() > kMostDigits ||
      small.find_first_not_of("0123456789abcdef") != std::string::npos)
    return not_found("{:?} is not an abbreviated git object id", digits);
  std::set<Oid> found;
  for (const auto& index : pool_->packs().look()->indexes)
    for (const Oid& id : index->find(small)) found.insert(id);
  for (const std::string& folder : pool_->folders())
    for (const Oid& id : find_loose_objects(folder, small)) found.insert(id);
  if (found.size() > 1) return invalid("git object id {:?} is ambiguous", digits);
  if (found.empty()) return not_found("git object {:?} not found", digits);
  return *found.begin();
}

bool ObjectDb::has(const Oid& id) const {
  return pool_->packs().known()->has(id) ||
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
  return invalid("git tag {} is nested more than 16 levels deep", id.hex());
}

Result<TreeEntry> find_path(const ReadObject& read, const Oid& tree, std::string_view path) {
  TreeEntry at{kModeTree, "", tree};
  while (!path.empty()) {
    if (!at.is_tree()) return not_found("{:?} is not a directory", at.name);
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
