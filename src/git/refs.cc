#include "git/refs.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "base/mutex.h"
#include "git/internal/file.h"
#include "git/internal/loose_refs.h"
#include "git/internal/packed_refs.h"
#include "git/local.h"

namespace portico::git {

const Ref* RefSnapshot::find(std::string_view name) const {
  const auto at =
      std::lower_bound(refs.begin(), refs.end(), name,
                       [](const Ref& ref, std::string_view wanted) { return ref.name < wanted; });
  return at == refs.end() || at->name != name ? nullptr : &*at;
}

std::pair<std::size_t, std::size_t> RefSnapshot::range(std::string_view prefix) const {
  const auto first =
      std::lower_bound(refs.begin(), refs.end(), prefix,
                       [](const Ref& ref, std::string_view wanted) { return ref.name < wanted; });
  const auto last = std::partition_point(
      first, refs.end(), [prefix](const Ref& ref) { return ref.name.starts_with(prefix); });
  return {static_cast<std::size_t>(first - refs.begin()),
          static_cast<std::size_t>(last - refs.begin())};
}

struct RefReader::State {
  Mutex mutex;
  // The file that `packed` was read from stays open, so its inode cannot be reused: an equal inode
  // means the same file.
  Fd packed_file PORTICO_GUARDED_BY(mutex);
  PackedRefs packed PORTICO_GUARDED_BY(mutex);
  std::vector<LooseRef> loose PORTICO_GUARDED_BY(mutex);
  std::shared_ptr<const RefSnapshot> snapshot PORTICO_GUARDED_BY(mutex);
  bool saw_locks PORTICO_GUARDED_BY(mutex) = false;

  // Rereads packed-refs if the file was replaced; returns whether it was.
  Result<bool> refresh_packed(const std::string& path) PORTICO_REQUIRES(mutex) {
    struct stat now {
    }, then{};
    const bool there = ::stat(path.c_str(), &now) == 0;
    if (!there && !packed_file) return false;
    if (there && packed_file && ::fstat(packed_file.get(), &then) == 0 &&
        now.st_dev == then.st_dev && now.st_ino == then.st_ino && now.st_size == then.st_size &&
        now.st_mtim.tv_sec == then.st_mtim.tv_sec && now.st_mtim.tv_nsec == then.st_mtim.tv_nsec)
      return false;
    auto file = open_file(path, O_RDONLY);
    if (!file && file.error().code != Code::kNotFound) return std::move(file).error();
    if (!file) {
      packed_file = Fd();
      packed = {};
      return true;
    }
    // The path may name a newer file by now; then the next call sees another inode and rereads it.
    PORTICO_TRY(const std::string text, read_whole(fmt::format("/proc/self/fd/{}", file->get())));
    PORTICO_TRY(packed, parse_packed_refs(text));
    packed_file = *std::move(file);
    return true;
  }

  // Follows a symbolic ref to its final id; nullptr if it leads nowhere.
  const Oid* resolve(const LooseRef& ref) const PORTICO_REQUIRES(mutex) {
    std::string_view name = ref.target;
    for (int depth = 0; depth < 5; ++depth) {
      const auto at = std::lower_bound(
          loose.begin(), loose.end(), name,
          [](const LooseRef& one, std::string_view wanted) { return one.name < wanted; });
      if (at == loose.end() || at->name != name) {
        const PackedRef* found = packed.find(name);
        return found ? &found->id : nullptr;
      }
      if (at->target.empty()) return &at->id;
      name = at->target;
    }
    return nullptr;
  }
};

RefReader::RefReader(std::string folder)
    : folder_(std::move(folder)), state_(std::make_unique<State>()) {}
RefReader::~RefReader() = default;

Result<std::shared_ptr<const RefSnapshot>> RefReader::snapshot() {
  const MutexLock lock(state_->mutex);
  // Loose refs first: a ref that is being packed is then seen in at least one of the two places.
  state_->saw_locks = exists(folder_ + "/packed-refs.lock");
  bool lock_files = false;
  PORTICO_TRY(std::vector<LooseRef> loose,
              list_loose_refs(folder_, [&](const std::string&) { lock_files = true; }));
  state_->saw_locks = state_->saw_locks || lock_files;
  PORTICO_TRY(const bool new_packed, state_->refresh_packed(folder_ + "/packed-refs"));
  // A repository that was moved away or unmounted also has no refs. Check last, so that one that
  // disappears during this call is not mistaken for an empty one either.
  if (!is_repository(folder_))
    return unavailable(
        "{:?} is no longer a git repository: mount or restore it, or delete its Repository object",
        folder_);
  if (state_->snapshot && !new_packed && loose == state_->loose) return state_->snapshot;
  state_->loose = std::move(loose);

  auto snapshot = std::make_shared<RefSnapshot>();
  snapshot->refs.reserve(state_->packed.refs.size() + state_->loose.size());
  auto packed = state_->packed.refs.begin();
  const auto packed_end = state_->packed.refs.end();
  for (const LooseRef& ref : state_->loose) {
    for (; packed != packed_end && packed->name < ref.name; ++packed)
      snapshot->refs.push_back({packed->name, packed->id});
    if (packed != packed_end && packed->name == ref.name) ++packed;
    if (const Oid* id = ref.target.empty() ? &ref.id : state_->resolve(ref))
      snapshot->refs.push_back({ref.name, *id});
  }
  for (; packed != packed_end; ++packed) snapshot->refs.push_back({packed->name, packed->id});
  state_->snapshot = std::move(snapshot);
  return state_->snapshot;
}

void RefReader::rest() {
  const MutexLock lock(state_->mutex);
  state_->packed_file = Fd();
  state_->packed = {};
  state_->loose = {};
  state_->snapshot = nullptr;
}

bool RefReader::saw_locks() const {
  const MutexLock lock(state_->mutex);
  return state_->saw_locks;
}

Result<Oid> RefReader::packed_value(std::string_view name) {
  const MutexLock lock(state_->mutex);
  PORTICO_TRY(const bool new_packed, state_->refresh_packed(folder_ + "/packed-refs"));
  if (new_packed) state_->snapshot = nullptr;  // it was built from the old file
  const PackedRef* ref = state_->packed.find(name);
  return ref ? ref->id : Oid{};
}

Result<std::string> RefReader::head_branch() const {
  PORTICO_TRY(const auto head, read_loose_ref(folder_, "HEAD"));
  return head ? head->target : std::string();
}

}  // namespace portico::git
