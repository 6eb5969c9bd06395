#include "store/internal/folder_lock.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/fd.h"

namespace portico::store {
namespace {

constexpr auto kInstant = std::chrono::milliseconds(200);

Error failure(const std::filesystem::path& path, std::string_view doing) {
  return unavailable("{}: {}", doing, std::generic_category().message(errno)).in(path.string());
}

std::string first_line(int file) {
  char text[64];
  const ssize_t size = pread(file, text, sizeof text, 0);
  const std::string_view all(text, size > 0 ? static_cast<std::size_t>(size) : 0);
  return std::string(all.substr(0, all.find('\n')));
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder,
                                    const std::optional<Turn>& turn) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return unavailable("cannot be created: {}", error.message()).in(folder.string());
  const std::filesystem::path path = folder / "store.lock";
  FolderLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock.file_ < 0) return failure(path, "cannot be opened");
  if (flock(lock.file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failure(path, "cannot be locked");
    if (turn) {
      PORTICO_DO(lock.wait(folder, *turn), folder.string());
    } else if (!lock.had_within(kInstant)) {
      return unavailable("this folder is in use by process {}; stop it, or specify another folder",
                         first_line(lock.file_))
          .in(folder.string());
    }
  }
  const std::string pid = std::to_string(getpid()) + "\n";
  if (ftruncate(lock.file_, 0) != 0 ||
      pwrite(lock.file_, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return failure(path, "cannot be written");
  // After a power failure, too, the next process clears what this one left behind. Not all file
  // systems can; then only that is missing.
  (void)fdatasync(lock.file_);
  lock.held_ = true;
  return lock;
}

// was_killed() holds the lock for an instant; polling for that long is cheaper than a thread that
// blocks while another process holds it.
bool FolderLock::had_within(std::chrono::milliseconds time) const {
  constexpr auto kLook = std::chrono::milliseconds(10);
  for (auto left = time; left.count() > 0; left -= kLook) {
    std::this_thread::sleep_for(kLook);
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) return true;
  }
  return false;
}

namespace {

// Shared by the waiter and the thread that blocks for the lock. An abandoned thread ends with the
// process, or releases the lock once it gets it.
struct Waiting {
  Fd file;   // the same lock
  Fd ready;  // readable once it is locked or has failed
  std::atomic<bool> given_up = false;
  std::atomic<int> error = 0;
};

void wait_for_lock(const std::shared_ptr<Waiting>& waiting) {
  int error = 0;
  while (flock(waiting->file.get(), LOCK_EX) != 0 && (error = errno) == EINTR) error = 0;
  waiting->error = error;
  if (waiting->given_up) {
    flock(waiting->file.get(), LOCK_UN);
    return;
  }
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t told = ::write(waiting->ready.get(), &one, sizeof one);
}

}  // namespace

Result<Done> FolderLock::wait(const std::filesystem::path& folder, const Turn& turn) const {
  using Clock = std::chrono::steady_clock;
  constexpr auto kTold = std::chrono::seconds(1);
  // A socket file exists a moment before its server listens.
  constexpr auto kMoment = std::chrono::milliseconds(50);
  auto waiting = std::make_shared<Waiting>();
  waiting->file = Fd(fcntl(file_, F_DUPFD_CLOEXEC, 0));
  waiting->ready = Fd(eventfd(0, EFD_CLOEXEC));
  const Fd news(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!waiting->file || !waiting->ready || !news) return failure(folder, "cannot be waited for");
  inotify_add_watch(news.get(), folder.c_str(), IN_CREATE | IN_MOVED_TO);
  std::thread(wait_for_lock, waiting).detach();

  const auto give_up = [&](Error error) {
    waiting->given_up = true;
    return error;
  };
  std::optional<Clock::time_point> tell = Clock::now() + kTold, look;
  for (;;) {
    Clock::time_point next = turn.until;
    if (tell) next = std::min(next, *tell);
    if (look) next = std::min(next, *look);
    int wait = -1;
    if (next != Clock::time_point::max())
      wait = static_cast<int>(std::clamp<std::int64_t>(
          std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now()).count(), 0, 3'600'000));
    pollfd ends[] = {{waiting->ready.get(), POLLIN, 0}, {news.get(), POLLIN, 0}};
    if (poll(ends, 2, wait) < 0 && errno != EINTR)
      return give_up(failure(folder, "cannot be waited for"));
    if ((ends[0].revents & POLLIN) != 0) {
      if (waiting->error == 0) return Done{};
      errno = waiting->error;
      return failure(folder, "cannot be locked");
    }
    if ((ends[1].revents & POLLIN) != 0) {
      alignas(inotify_event) char events[4096];
      while (::read(news.get(), events, sizeof events) > 0) {
      }
      look = Clock::now() + kMoment;
      if (turn.give_way && turn.give_way())
        return give_up(conflict("process {} now serves this folder", first_line(file_)));
    }
    const Clock::time_point now = Clock::now();
    if (look && now >= *look) {
      look.reset();
      if (turn.give_way && turn.give_way())
        return give_up(conflict("process {} now serves this folder", first_line(file_)));
    }
    if (tell && now >= *tell) {
      tell.reset();
      if (turn.waiting) turn.waiting(first_line(file_));
    }
    if (now >= turn.until)
      return give_up(unavailable("this folder is still in use by process {}; wait for it to exit, "
                                 "or increase --timeout",
                                 first_line(file_))
                         .because(Reason::kTimeout));
  }
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)), held_(std::exchange(other.held_, false)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(held_, other.held_);
  return *this;
}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  // A pid in an unlocked file means that its process was killed.
  if (held_) {
    [[maybe_unused]] const int emptied = ftruncate(file_, 0);
  }
  close(file_);
}

bool was_killed(const std::filesystem::path& folder) {
  const Fd file(::open((folder / "store.lock").c_str(), O_RDONLY | O_CLOEXEC));
  return file && flock(file.get(), LOCK_SH | LOCK_NB) == 0 && !first_line(file.get()).empty();
}

}  // namespace portico::store
