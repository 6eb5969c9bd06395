// A file descriptor that closes itself. For modules below the pure line.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace portico {

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

/// "cannot <what> <path>: <text of errno>". Always kUnavailable: the environment is at fault.
Error file_error(std::string_view what, const std::string& path, int error_number);

/// Writes all of `bytes`, continuing after interruptions. `path` is used in the error message.
Result<Done> write_all(const Fd& fd, std::string_view bytes, const std::string& path);

}  // namespace portico
