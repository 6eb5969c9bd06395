#include "git/object_db.h"

#include <git2.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/guarded.h"

namespace portico::git {
namespace {

std::string last_error() {
  const git_error* error = git_error_last();
  return error && error->message ? error->message : "no reason given";
}

// libgit2 counts its users; each pool is one.
struct Library {
  Library() { git_libgit2_init(); }
  ~Library() { git_libgit2_shutdown(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

struct Handle {
  git_repository* repository = nullptr;
  git_odb* odb = nullptr;
  std::uint64_t epoch = 0;

  Handle() = default;
  Handle(Handle&& other) noexcept
      : repository(std::exchange(other.repository, nullptr)),
        odb(std::exchange(other.odb, nullptr)),
        epoch(other.epoch) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(repository, other.repository);
    std::swap(odb, other.odb);
    epoch = other.epoch;
    return *this;
  }
  ~Handle() {
    git_odb_free(odb);
    git_repository_free(repository);
  }
};

git_oid to_git(const Oid& id) {
  git_oid out;
  std::memcpy(out.id, id.bytes.data(), id.bytes.size());
  return out;
}

}  // namespace

class ObjectDb::Pool {
 public:
  explicit Pool(std::string folder) : folder_(std::move(folder)) {}

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

  Result<Handle> fresh() {
    Handle handle;
    handle.epoch = idle_.with([](Idle& idle) { return idle.epoch; });
    if (git_repository_open_ext(&handle.repository, folder_.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH,
                                nullptr) != 0 ||
        git_repository_odb(&handle.odb, handle.repository) != 0)
      return invalid("{:?} is not a git repository that can be read: {}", folder_, last_error());
    return handle;
  }

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
  std::string folder_;
  Guarded<Idle> idle_;
};

ObjectDb::ObjectDb(std::unique_ptr<Pool> pool) : pool_(std::move(pool)) {}
ObjectDb::~ObjectDb() = default;

Result<std::unique_ptr<ObjectDb>> ObjectDb::open(const std::string& folder) {
  auto pool = std::make_unique<Pool>(folder);
  PORTICO_TRY(Handle handle, pool->fresh());
  pool->put(std::move(handle));
  return std::unique_ptr<ObjectDb>(new ObjectDb(std::move(pool)));
}

Result<Object> ObjectDb::read(const Oid& id, std::size_t limit) const {
  const git_oid oid = to_git(id);
  PORTICO_TRY(Handle handle, pool_->take());
  int status = 0;
  // Twice: another process may have moved the object into a new pack while we looked at the old
  // one, and a handle does not always notice.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (attempt == 1) {
      PORTICO_TRY(handle, pool_->fresh());
    }
    std::size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    status = git_odb_read_header(&size, &type, handle.odb, &oid);
    if (status == 0 && size > limit) {
      pool_->put(std::move(handle));
      return invalid("git object {} has {} bytes, more than {}", id.hex(), size, limit);
    }
    git_odb_object* object = nullptr;
    if (status == 0) status = git_odb_read(&object, handle.odb, &oid);
    if (status != 0) continue;
    Object out;
    out.type = static_cast<ObjectType>(git_odb_object_type(object));
    out.bytes.assign(static_cast<const char*>(git_odb_object_data(object)),
                     git_odb_object_size(object));
    git_odb_object_free(object);
    pool_->put(std::move(handle));
    return out;
  }
  const std::string reason = last_error();
  pool_->put(std::move(handle));
  if (status == GIT_ENOTFOUND) return not_found("there is no git object {}", id.hex());
  return internal("git object {} cannot be read: {}", id.hex(), reason);
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
  git_oid found;
  const int status = git_odb_exists_prefix(&found, handle.odb, &prefix, digits.size());
  pool_->put(std::move(handle));
  if (status == GIT_EAMBIGUOUS) return invalid("several git objects begin with {:?}", digits);
  if (status != 0) return not_found("there is no git object {:?}", digits);
  Oid id;
  std::memcpy(id.bytes.data(), found.id, id.bytes.size());
  return id;
}

bool ObjectDb::has(const Oid& id) const {
  auto handle = pool_->take();
  if (!handle) return false;
  const git_oid oid = to_git(id);
  const bool found = git_odb_exists_ext(handle->odb, &oid, GIT_ODB_LOOKUP_NO_REFRESH) == 1;
  pool_->put(*std::move(handle));
  return found;
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
