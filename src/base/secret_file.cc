#include "base/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/fd.h"

namespace portico {

Result<std::string> read_small_file(const std::string& path, std::size_t most, bool secret) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR) return not_found("file not found: {}", path);
    return file_error("open", path, errno);
  }
  struct stat there {};
  if (::fstat(fd.get(), &there) != 0) return file_error("read", path, errno);
  if (!S_ISREG(there.st_mode)) return invalid("{} is not a regular file", path);
  if (secret && (there.st_mode & 077) != 0)
    return invalid("permissions of {} are too open for a secret: run chmod 600 {}", path, path);
  std::string bytes;
  char part[16384];
  for (;;) {
    const auto got = ::read(fd.get(), part, sizeof part);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error("read", path, errno);
    if (got == 0) return bytes;
    bytes.append(part, static_cast<std::size_t>(got));
    if (bytes.size() > most) return invalid("{} is larger than {} bytes", path, most);
  }
}

Result<Done> write_secret_file(const std::string& path, std::string_view bytes) {
  const std::filesystem::path file(path);
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  std::string temporary = path + ".XXXXXX";
  const Fd fd(::mkostemp(temporary.data(), O_CLOEXEC));  // 0600
  if (!fd) return file_error("write", path, errno);
  auto written = [&]() -> Result<Done> {
    PORTICO_DO(write_all(fd, bytes, temporary));
    if (::fsync(fd.get()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0)
      return file_error("write", path, errno);
    return Done{};
  }();
  if (!written) {
    ::unlink(temporary.c_str());
    return written;
  }
  const Fd parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent || ::fsync(parent.get()) != 0) return file_error("write", path, errno);
  return Done{};
}

}  // namespace portico
