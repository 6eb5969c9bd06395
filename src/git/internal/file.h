// Files that must survive a crash: descriptors that close, writes and syncs that report.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace portico::git {

class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void reset();

 private:
  int fd_;
};

/// "cannot <what> <path>: <errno's text>"; kUnavailable, for the world is not as it should be.
Error file_error(std::string_view what, const std::string& path, int error_number);

Result<Fd> open_file(const std::string& path, int flags, unsigned mode = 0644);
/// The whole file; kNotFound where there is none.
Result<std::string> read_whole(const std::string& path, std::size_t limit = std::size_t{1} << 31);
Result<Done> write_all(const Fd& fd, std::string_view bytes, const std::string& path);
Result<Done> sync_file(const Fd& fd, const std::string& path);
Result<Done> sync_folder(const std::string& path);
Result<Done> rename_file(const std::string& from, const std::string& to);
/// True where it was made; an existing folder is fine. Parents are made too.
Result<Done> make_folders(const std::string& path);
bool is_folder(const std::string& path);
bool exists(const std::string& path);
/// The folder part of a path that contains a '/'.
std::string parent_of(const std::string& path);

}  // namespace portico::git
