#include "git/internal/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/world_error.h"

namespace portico::git {
namespace {

Error irregular(const std::string& path) {
  return refused("{:?} is not a regular file: remove or replace it", path);
}

}  // namespace

Result<Fd> open_file(const std::string& path, int flags, unsigned mode) {
  Fd fd(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, mode));
  if (!fd && errno == ENOENT) return not_found("file {:?} not found", path);
  if (!fd && errno == ENXIO) return irregular(path);  // a pipe without a reader, or a socket
  if (!fd) return file_error("open", path, errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return file_error("stat", path, errno);
  if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return irregular(path);
  return fd;
}

Result<Done> check_regular(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
    return irregular(path);
  return Done{};
}

Result<std::string> read_whole(const std::string& path, std::size_t limit) {
  PORTICO_TRY(const Fd fd, open_file(path, O_RDONLY));
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return file_error("stat", path, errno);
  if (static_cast<std::size_t>(info.st_size) > limit)
    return invalid("{:?} has {} bytes, more than {}", path, info.st_size, limit);
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t have = 0;
  while (have < text.size()) {
    const ssize_t got = ::read(fd.get(), text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error("read", path, errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

Result<Done> sync_file(const Fd& fd, const std::string& path) {
  if (::fsync(fd.get()) != 0) return file_error("sync", path, errno);
  return Done{};
}

Result<Done> sync_folder(const std::string& path) {
  PORTICO_TRY(const Fd fd, open_file(path, O_RDONLY | O_DIRECTORY));
  return sync_file(fd, path);
}

Result<Done> rename_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return file_error("replace", to, errno);
  return Done{};
}

Result<Done> make_folders(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0 || errno == EEXIST) return Done{};
  if (errno != ENOENT || path.find('/') == std::string::npos)
    return file_error("create directory", path, errno);
  PORTICO_DO(make_folders(parent_of(path)));
  if (::mkdir(path.c_str(), 0755) == 0 || errno == EEXIST) return Done{};
  return file_error("create directory", path, errno);
}

bool is_folder(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool exists(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace portico::git
