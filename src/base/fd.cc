#include "base/fd.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace portico {

void Fd::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Error file_error(std::string_view what, const std::string& path, int error_number) {
  return unavailable("cannot {} {:?}: {}", what, path,
                     std::generic_category().message(error_number));
}

Result<Done> write_all(const Fd& fd, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return file_error("write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return Done{};
}

}  // namespace portico
