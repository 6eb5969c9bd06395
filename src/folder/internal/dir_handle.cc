#include "folder/internal/dir_handle.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

namespace portico::folder {
namespace {

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

std::string above(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

Result<std::string> read_link(int fd, const std::string& leaf, const std::string& shown) {
  std::string target(4096, '\0');
  const ssize_t size = ::readlinkat(fd, leaf.c_str(), target.data(), target.size());
  if (size < 0) return file_error("read symbolic link", shown, errno);
  target.resize(static_cast<std::size_t>(size));
  return target;
}

}  // namespace

std::string DirHandle::shown(const std::string& path) const {
  return path.empty() ? name_ : name_ + (name_.ends_with('/') ? "" : "/") + path;
}

Result<DirHandle> DirHandle::open(const std::string& path) {
  Fd fd(::open(path.c_str(), kFolder));
  if (fd) return DirHandle(std::move(fd), path);
  if (errno == ENOENT)
    return not_found("cannot open directory \"{}\": no such file or directory", path);
  if (errno == ENOTDIR) return not_found("cannot open directory \"{}\": not a directory", path);
  return file_error("open directory", path, errno);
}

Result<DirHandle> DirHandle::at(const std::string& path) const {
  PORTICO_TRY(const Place where, place(path));
  Fd fd(::openat(where.fd, where.leaf.c_str(), kFolder | O_NOFOLLOW));
  if (!fd) return file_error("open directory", shown(path), errno);
  return DirHandle(std::move(fd), shown(path));
}

Result<DirHandle::Place> DirHandle::place(const std::string& path, bool make) const {
  Place out;
  out.fd = fd_.get();
  std::size_t from = 0;
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       from = slash + 1, slash = path.find('/', from)) {
    const std::string part = path.substr(from, slash - from);
    if (part.empty() || part == "." || part == "..")
      return invalid("\"{}\" is not a valid path in a package", path);
    if (make && ::mkdirat(out.fd, part.c_str(), 0777) != 0 && errno != EEXIST)
      return file_error("create directory", shown(path.substr(0, slash)), errno);
    Fd next(::openat(out.fd, part.c_str(), kFolder | O_NOFOLLOW));
    if (!next) {
      const int why = errno;
      const std::string here = path.substr(0, slash);
      struct stat info {};
      if (why != ENOENT && ::fstatat(out.fd, part.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0) {
        if (S_ISLNK(info.st_mode))
          return invalid("\"{}\" passes through the symbolic link \"{}\"", path, shown(here));
        if (!S_ISDIR(info.st_mode))
          return invalid("\"{}\" passes through \"{}\", which is not a directory", path,
                         shown(here));
      }
      if (why == ENOENT) return not_found("directory \"{}\" not found", shown(here));
      return file_error("open directory", shown(here), why);
    }
    out.above = std::move(next);
    out.fd = out.above.get();
  }
  out.leaf = path.substr(from);
  if (out.leaf.empty() || out.leaf == "." || out.leaf == "..")
    return invalid("\"{}\" is not a valid path in a package", path);
  return out;
}

Result<std::vector<DirHandle::Name>> DirHandle::names() const {
  // A separate descriptor: the stream closes it and has its own read position.
  const int own = ::openat(fd_.get(), ".", kFolder);
  if (own < 0) return file_error("read directory", name_, errno);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(own), &::closedir);
  if (!stream) {
    ::close(own);
    return file_error("read directory", name_, errno);
  }
  std::vector<Name> out;
  for (errno = 0; const dirent* entry = ::readdir(stream.get()); errno = 0) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    bool folder = entry->d_type == DT_DIR;
    if (struct stat info{}; entry->d_type == DT_UNKNOWN)
      folder = ::fstatat(fd_.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
               S_ISDIR(info.st_mode);
    out.push_back({name, folder});
  }
  if (errno != 0) return file_error("read directory", name_, errno);
  std::sort(out.begin(), out.end(), [](const Name& a, const Name& b) { return a.name < b.name; });
  return out;
}

std::optional<struct stat> DirHandle::look(const std::string& path) const {
  const auto where = place(path);
  struct stat info {};
  if (!where || ::fstatat(where->fd, where->leaf.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
    return std::nullopt;
  return info;
}

Result<krm::File> DirHandle::read(const std::string& path, std::size_t limit, bool bytes) const {
  PORTICO_TRY(const Place where, place(path));
  const Fd fd(::openat(where.fd, where.leaf.c_str(),
                       O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!fd && errno == ELOOP) {
    PORTICO_TRY(std::string target, read_link(where.fd, where.leaf, shown(path)));
    return krm::File(std::move(target), krm::FileMode::kSymlink);
  }
  if (!fd && errno == ENOENT) return not_found("file \"{}\" not found", shown(path));
  if (!fd && (errno == ENXIO || errno == ENODEV))
    return invalid("\"{}\" is neither a file nor a directory", path);
  if (!fd) return file_error("read", shown(path), errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return file_error("stat", shown(path), errno);
  if (!S_ISREG(info.st_mode)) return invalid("\"{}\" is neither a file nor a directory", path);
  const auto mode =
      (info.st_mode & S_IXUSR) != 0 ? krm::FileMode::kExecutable : krm::FileMode::kRegular;
  std::string text;
  if (!bytes) return krm::File(std::move(text), mode);
  if (static_cast<std::size_t>(info.st_size) > limit)
    return invalid("\"{}\" has {} bytes, more than {}", path, info.st_size, limit);
  text.resize(static_cast<std::size_t>(info.st_size) + 1);  // one byte more, to notice growth
  std::size_t have = 0;
  while (true) {
    if (have == text.size()) text.resize(2 * have);
    const ssize_t got = ::read(fd.get(), text.data() + have, text.size() - have);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error("read", shown(path), errno);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
    if (have > limit) return invalid("\"{}\" has more than {} bytes", path, limit);
  }
  text.resize(have);
  return krm::File(std::move(text), mode);
}

Result<Done> DirHandle::write(const std::string& path, const krm::File& file,
                              std::optional<mode_t> permissions) const {
  PORTICO_TRY(const Place where, place(path));
  if (file.mode == krm::FileMode::kSymlink) {
    if (::symlinkat(file.text().c_str(), where.fd, where.leaf.c_str()) != 0)
      return file_error("write", shown(path), errno);
    return Done{};
  }
  const Fd fd(::openat(where.fd, where.leaf.c_str(),
                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                       file.mode == krm::FileMode::kExecutable ? 0777 : 0666));
  if (!fd) return file_error("write", shown(path), errno);
  PORTICO_DO(write_all(fd, file.text(), shown(path)));
  if (permissions && ::fchmod(fd.get(), *permissions) != 0)
    return file_error("write", shown(path), errno);
  return Done{};
}

Result<Done> DirHandle::make_folder(const std::string& path) const {
  PORTICO_TRY(const Place where, place(path));
  if (::mkdirat(where.fd, where.leaf.c_str(), 0777) != 0)
    return file_error("create directory", shown(path), errno);
  return Done{};
}

Result<Done> DirHandle::make_folders_above(const std::string& path) const {
  PORTICO_DO(place(path, true));
  return Done{};
}

Result<Done> DirHandle::rename(const std::string& from, const std::string& to) const {
  PORTICO_TRY(const Place source, place(from));
  PORTICO_TRY(const Place target, place(to));
  if (::renameat(source.fd, source.leaf.c_str(), target.fd, target.leaf.c_str()) != 0)
    return file_error("write", shown(to), errno);
  return Done{};
}

Result<Done> DirHandle::remove(const std::string& path) const {
  const auto where = place(path);
  if (!where && where.error().code == Code::kNotFound) return Done{};
  if (!where) return where.error();
  if (::unlinkat(where->fd, where->leaf.c_str(), 0) != 0 && errno != ENOENT)
    return file_error("remove", shown(path), errno);
  return Done{};
}

void DirHandle::remove_empty_above(const std::string& path) const {
  for (std::string folder = above(path); !folder.empty(); folder = above(folder)) {
    const auto where = place(folder);
    if (!where || ::unlinkat(where->fd, where->leaf.c_str(), AT_REMOVEDIR) != 0) return;
  }
}

void DirHandle::remove_all(const std::string& path) const {
  const auto where = place(path);
  if (!where) return;
  if (const auto folder = at(path))
    if (const auto names = folder->names())
      for (const Name& one : *names) {
        if (one.is_folder) {
          folder->remove_all(one.name);
        } else {
          static_cast<void>(folder->remove(one.name));
        }
      }
  ::unlinkat(where->fd, where->leaf.c_str(), AT_REMOVEDIR);
}

}  // namespace portico::folder
