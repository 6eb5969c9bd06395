#include "git/internal/ref_transaction.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <thread>

#include "base/world_error.h"
#include "git/internal/loose_refs.h"
#include "git/internal/packed_refs.h"
#include "git/ref_name.h"

namespace portico::git {
namespace {

constexpr const char* kWriterLock = "/portico.lock";
constexpr const char* kNewPackedRefs = "/packed-refs.portico";
constexpr std::chrono::milliseconds kLockPatience{2000}, kLeastLockPatience{100};
// while waiting for Portico's own lock
constexpr std::chrono::milliseconds kTryOften{2}, kTryAnyway{1000};

using Steady = std::chrono::steady_clock;

// Creates the lock file `path` for this process and returns how long that took. While the
// WriterLock is held, a file with our mark is stale. `held` classifies the error if another
// process's lock stays longer than `patience`.
Result<Steady::duration> take_lock_file(const std::string& folder, const std::string& path,
                                        Steady::duration patience, Remedy held) {
  const auto begin = Steady::now();
  const auto deadline = begin + patience;
  std::chrono::milliseconds pause{1};
  while (true) {
    if (make_marked_file(folder, path)) return Steady::now() - begin;
    if (errno == ENOENT) {
      // The folder does not exist, or git just removed it as empty.
      PORTICO_DO(make_folders(parent_of(path)));
    } else if (errno == EEXIST) {
      const auto text = read_whole(path, 4096);
      if (text && *text == kOurMark) {
        ::unlink(path.c_str());
        continue;
      }
      if (Steady::now() >= deadline)
        return error_for(held, fmt::format("{:?} exists: another git process is running in this "
                                           "repository, or crashed earlier (then remove the file)",
                                           path));
      // Another git process holds it for the milliseconds of one ref change. A watch is not worth
      // it: it would have to tell a lock that is renamed to the ref from one that is removed.
      std::this_thread::sleep_for(pause);
      pause = std::min(pause * 2, std::chrono::milliseconds(50));
    } else {
      return file_error("lock", path, errno);
    }
    if (Steady::now() >= deadline + kLockPatience)
      return unavailable("cannot lock {:?}: its directory keeps disappearing", path);
  }
}

// Removes folders that became empty: they would block a ref of the same name.
void remove_empty_folders(const std::string& folder, std::string name) {
  while (true) {
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos) return;
    name.resize(slash);
    if (name == "refs" || name == "refs/heads" || name == "refs/tags") return;
    if (::rmdir((folder + "/" + name).c_str()) != 0) return;
  }
}

Result<PackedRefs> read_packed(const std::string& folder) {
  const auto text = read_whole(folder + "/packed-refs");
  if (!text && text.error().code == Code::kNotFound) return PackedRefs{};
  if (!text) return text.error();
  return parse_packed_refs(*text);
}

// Does nothing if `check`, called last, fails.
Result<Done> write_packed(const std::string& folder, const PackedRefs& packed,
                          const std::function<Result<Done>()>& check) {
  // Not git's own name ("packed-refs.new"): git treats an existing file of that name as an error.
  const std::string path = folder + kNewPackedRefs;
  {
    PORTICO_TRY(const Fd fd, open_file(path, O_WRONLY | O_CREAT | O_TRUNC));
    PORTICO_DO(write_all(fd, print_packed_refs(packed), path));
    PORTICO_DO(sync_file(fd, path));
  }
  PORTICO_DO(check());
  PORTICO_DO(rename_file(path, folder + "/packed-refs"));
  return sync_folder(folder);
}

// The packed-refs line for one ref, with the peeled id if it is an annotated tag.
Result<PackedRef> packed_line(const ReadObject& read, const std::string& name, const Oid& id) {
  PackedRef ref{name, id, {}};
  if (!name.starts_with("refs/tags/")) return ref;
  PORTICO_TRY(const Object object, read(id), name);
  if (object.type != ObjectType::kTag) return ref;
  Oid at = id;
  for (int depth = 0; depth < 16; ++depth) {
    PORTICO_TRY(const Object tag, read(at), name);
    if (tag.type != ObjectType::kTag) break;
    PORTICO_TRY(at, parse_tag_target(tag.bytes), name);
  }
  ref.peeled = at;
  return ref;
}

// Merges `lines` into `packed` (a line with a zero id removes its ref); both are sorted.
void put_lines(PackedRefs& packed, std::vector<PackedRef> lines) {
  std::vector<PackedRef> merged;
  merged.reserve(packed.refs.size() + lines.size());
  auto line = lines.begin();
  for (PackedRef& ref : packed.refs) {
    for (; line != lines.end() && line->name < ref.name; ++line)
      if (!line->id.is_zero()) merged.push_back(std::move(*line));
    if (line != lines.end() && line->name == ref.name) {
      if (!line->id.is_zero()) merged.push_back(std::move(*line));
      ++line;
    } else {
      merged.push_back(std::move(ref));
    }
  }
  for (; line != lines.end(); ++line)
    if (!line->id.is_zero()) merged.push_back(std::move(*line));
  packed.refs = std::move(merged);
}

// Reports when a process closes the file, as the holder of its lock eventually does.
class Closings {
 public:
  explicit Closings(const std::string& path) : events_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (events_ && ::inotify_add_watch(events_.get(), path.c_str(), IN_CLOSE) < 0) events_.reset();
  }
  /// Waits up to `most`, until the next close, or until `stopped`.
  void wait(std::chrono::steady_clock::duration most, const Stop& stopped) {
    // Without inotify (no instances left) polls frequently.
    if (!events_) most = std::min<std::chrono::steady_clock::duration>(most, kTryOften);
    // When a process is killed, its file is closed just before its lock is released.
    if (told_) most = std::min<std::chrono::steady_clock::duration>(most, kTryOften);
    std::array<pollfd, 2> polled{{{events_.get(), POLLIN, 0}, {stopped.descriptor(), POLLIN, 0}}};
    const auto time = std::chrono::ceil<std::chrono::milliseconds>(most);
    ::poll(polled.data(), polled.size(),
           static_cast<int>(std::clamp<std::int64_t>(time.count(), 0, 1 << 30)));
    told_ = polled[0].revents != 0;
    std::array<char, 4096> read;
    while (told_ && ::read(events_.get(), read.data(), read.size()) > 0) {
    }
  }

 private:
  Fd events_;
  bool told_ = false;
};

}  // namespace

bool make_marked_file(const std::string& folder, const std::string& path) {
  if (::link((folder + kWriterLock).c_str(), path.c_str()) == 0) return true;
  if (errno != EPERM && errno != EOPNOTSUPP && errno != EMLINK) return false;
  // The file system has no hard links.
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
  return fd && write_all(fd, kOurMark, path);
}

WriterLock::~WriterLock() {
  // Unlock before closing the file: closing it wakes the waiters.
  if (file_) ::flock(file_.get(), LOCK_UN);
}

Result<WriterLock> WriterLock::take(const std::string& folder, int seconds, const Stop& stopped) {
  const std::string path = folder + kWriterLock;
  PORTICO_TRY(Fd file, open_file(path, O_RDWR | O_CREAT));
  const auto begin = std::chrono::steady_clock::now();
  const auto deadline = begin + std::chrono::seconds(seconds);
  std::optional<Closings> closings;
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return file_error("lock", path, errno);
    if (std::chrono::steady_clock::now() >= deadline)
      return unavailable("{:?} has been locked by another writer for more than {} s", path,
                         seconds);
    if (stopped()) return unavailable("stopped while waiting for {:?}", path);
    // Watch before trying again, so that a release in between is not missed.
    if (!closings)
      closings.emplace(path);
    else
      closings->wait(
          std::min<std::chrono::steady_clock::duration>(
              std::min(deadline, stopped.at()) - std::chrono::steady_clock::now(), kTryAnyway),
          stopped);
  }
  struct stat held {
  }, there{};
  if (::fstat(file.get(), &held) != 0 || ::stat(path.c_str(), &there) != 0 ||
      held.st_ino != there.st_ino || held.st_dev != there.st_dev)
    return unavailable("{:?} was replaced while waiting for its lock", path);
  PORTICO_TRY(const std::string text, read_whole(path));
  if (text != kOurMark) {
    if (::ftruncate(file.get(), 0) != 0) return file_error("write", path, errno);
    PORTICO_DO(write_all(file, kOurMark, path));
  }
  return WriterLock(std::move(file));
}

void clean_ref_locks(const std::string& folder) {
  ::unlink((folder + kNewPackedRefs).c_str());
  std::vector<std::string> stale;
  const auto look = [&](const std::string& name) {
    const auto text = read_whole(folder + "/" + name, 4096);
    if (text && *text == kOurMark) stale.push_back(name);
  };
  look("packed-refs.lock");
  (void)list_loose_refs(folder, look);
  for (const std::string& name : stale) {
    ::unlink((folder + "/" + name).c_str());
    remove_empty_folders(folder, name);
  }
}

bool clean_all_locks(const std::string& folder) {
  std::vector<std::string> found{"packed-refs.lock", "HEAD.lock", "config.lock", "shallow.lock"};
  (void)list_loose_refs(folder, [&](const std::string& name) { found.push_back(name); });
  bool any = false;
  for (const std::string& name : found) {
    if (::unlink((folder + "/" + name).c_str()) != 0) continue;
    any = true;
    remove_empty_folders(folder, name);
  }
  return any;
}

RefTransaction::RefTransaction(std::string folder, RefReader& reader,
                               std::shared_ptr<const RefSnapshot> snapshot)
    : folder_(std::move(folder)),
      reader_(reader),
      snapshot_(std::move(snapshot)),
      patience_(kLockPatience) {}

RefTransaction::~RefTransaction() { release(); }

void RefTransaction::release() {
  for (const auto& [name, held] : held_) {
    if (!held.locked) continue;
    ::unlink((folder_ + "/" + name + ".lock").c_str());
    remove_empty_folders(folder_, name);
  }
  held_.clear();
  log_.clear();
}

Result<Oid> RefTransaction::lock(const std::string& name) {
  if (const auto have = held_.find(name); have != held_.end()) return have->second.now;
  PORTICO_DO(check_ref_name(name));
  bool locked = false;
  if (exists(folder_of(name))) {
    // A ref that stays locked must delay neither the other refs of a batch nor the next lock.
    const auto took = take_lock_file(folder_, folder_ + "/" + name + ".lock",
                                     std::max<Steady::duration>(patience_, kLeastLockPatience),
                                     Remedy::kOperator);
    patience_ -= took ? *took : patience_;
    PORTICO_DO(took, name);
    locked = true;
  }
  Held& held = held_[name];
  held.locked = locked;
  if (locked) {
    // From here on nothing else can change the ref: the value read now is stable.
    PORTICO_TRY(const auto loose, read_loose_ref(folder_, name));
    if (loose && !loose->target.empty())
      return invalid("{:?} is a symbolic ref to {:?} and cannot be updated", name, loose->target);
    if (loose) {
      held = {loose->id, loose->id, true, true};
      return held.now;
    }
  }
  PORTICO_TRY(held.before, reader_.packed_value(name));
  held.now = held.before;
  return held.now;
}

// If the folder has appeared, another process is changing a ref that is not locked here, or has.
Result<Done> RefTransaction::check_unlocked() const {
  for (const auto& [name, held] : held_)
    if (!held.locked && held.now != held.before && exists(folder_of(name)))
      return conflict("another git process is changing {:?}", name);
  return Done{};
}

std::string RefTransaction::folder_of(const std::string& name) const {
  return parent_of(folder_ + "/" + name);
}

Oid RefTransaction::value(const std::string& name) const {
  if (const auto held = held_.find(name); held != held_.end()) return held->second.now;
  const Ref* ref = snapshot_->find(name);
  return ref ? ref->id : Oid{};
}

Result<Done> RefTransaction::check_names(const std::string& name) const {
  const auto there = [this](const std::string& other) { return !value(other).is_zero(); };
  const auto clash = [&name](const std::string& other) {
    return invalid("cannot create ref {:?}: it conflicts with existing ref {:?}", name, other);
  };
  for (std::size_t at = name.find('/', 5); at != std::string::npos; at = name.find('/', at + 1))
    if (there(name.substr(0, at))) return clash(name.substr(0, at));
  const std::string below = name + "/";
  const auto [first, last] = snapshot_->range(below);
  for (std::size_t i = first; i < last; ++i)
    if (there(snapshot_->refs[i].name)) return clash(snapshot_->refs[i].name);
  for (auto held = held_.lower_bound(below); held != held_.end() && held->first.starts_with(below);
       ++held)
    if (!held->second.now.is_zero()) return clash(held->first);
  return Done{};
}

Result<Done> RefTransaction::set(const std::string& name, const Oid& id) {
  const auto held = held_.find(name);
  if (held == held_.end()) return internal("ref {:?} is changed without its lock", name);
  if (!id.is_zero() && held->second.now.is_zero()) PORTICO_DO(check_names(name));
  log_.emplace_back(name, held->second.now);
  held->second.now = id;
  return Done{};
}

std::vector<RefTransaction::Change> RefTransaction::changes() const {
  std::vector<Change> out;
  for (const auto& [name, held] : held_)
    if (held.now != held.before) out.push_back({name, held.before, held.now});
  return out;
}

void RefTransaction::rewind(std::size_t mark) {
  while (log_.size() > mark) {
    held_.find(log_.back().first)->second.now = log_.back().second;
    log_.pop_back();
  }
}

std::vector<std::string> RefTransaction::set_between(std::size_t from, std::size_t to) const {
  std::vector<std::string> out;
  for (std::size_t i = from; i < to; ++i) out.push_back(log_[i].first);
  return out;
}

Result<Done> RefTransaction::commit(const ReadObject& read) {
  std::vector<PackedRef> old_lines, new_lines;
  std::vector<std::string> loose;
  for (const auto& [name, held] : held_) {
    if (held.now == held.before) continue;
    if (held.loose) {
      PORTICO_TRY(PackedRef line, packed_line(read, name, held.before));
      old_lines.push_back(std::move(line));
      loose.push_back(name);
    }
    if (held.now.is_zero()) {
      new_lines.push_back({name, {}, {}});
    } else {
      PORTICO_TRY(PackedRef line, packed_line(read, name, held.now));
      new_lines.push_back(std::move(line));
    }
  }
  if (new_lines.empty()) return Done{};

  const std::string lock = folder_ + "/packed-refs.lock";
  PORTICO_DO(take_lock_file(folder_, lock, kLockPatience, Remedy::kRetry));
  const auto rewrite = [&]() -> Result<Done> {
    PORTICO_TRY(PackedRefs packed, read_packed(folder_));
    if (!loose.empty()) {
      // A loose ref hides its packed line. So pack the old values and remove the files first, which
      // changes nothing visible; then a single rename applies all new values.
      put_lines(packed, std::move(old_lines));
      PORTICO_DO(write_packed(folder_, packed, [] { return Result<Done>(Done{}); }));
      for (const std::string& name : loose) {
        const std::string path = folder_ + "/" + name;
        if (::unlink(path.c_str()) != 0 && errno != ENOENT)
          return file_error("remove", path, errno);
        PORTICO_DO(sync_folder(parent_of(path)));
      }
    }
    put_lines(packed, std::move(new_lines));
    return write_packed(folder_, packed, [this] { return check_unlocked(); });
  };
  auto done = rewrite();
  ::unlink(lock.c_str());
  if (done) log_.clear();
  return done;
}

}  // namespace portico::git
