#include "store/internal/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace portico::store {
namespace {

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

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return unavailable("cannot be made: {}", error.message()).in(folder.string());
  const std::filesystem::path path = folder / "store.lock";
  FolderLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock.file_ < 0) return failure(path, "cannot be opened");
  if (flock(lock.file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failure(path, "cannot be locked");
    return unavailable("process {} uses this folder; stop it, or give another folder",
                       first_line(lock.file_))
        .in(folder.string());
  }
  const std::string pid = std::to_string(getpid()) + "\n";
  if (ftruncate(lock.file_, 0) != 0 ||
      pwrite(lock.file_, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return failure(path, "cannot be written");
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
}

}  // namespace portico::store
