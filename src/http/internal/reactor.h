// The threads that wait for sockets and times. Boost.Asio is behind it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "base/result.h"

namespace portico::http::internal {

using Instant = std::chrono::steady_clock::time_point;

/// What is called when a descriptor is ready. It stays alive while a wait is on.
class Waiter {
 public:
  virtual ~Waiter() = default;
  virtual void readable() = 0;
  virtual void writable() = 0;
};

class Reactor;

/// One descriptor, which stays the caller's and must be open until this is gone. One wait for each
/// direction at a time; a wait that is on when this goes away is forgotten. Not for several threads
/// at once.
class Watched {
 public:
  /// Null where the system cannot watch one more.
  static std::unique_ptr<Watched> make(Reactor& reactor, int fd);
  ~Watched();

  /// Calls readable() or writable() once.
  void wait_readable(std::shared_ptr<Waiter> waiter);
  void wait_writable(std::shared_ptr<Waiter> waiter);

 private:
  struct Impl;
  explicit Watched(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Safe from any thread, but for the end.
class Reactor {
 public:
  static Result<std::unique_ptr<Reactor>> start(std::size_t threads);
  ~Reactor();
  /// Joins the threads; what was posted and not run is dropped.
  void stop();

  void post(std::function<void()> task);
  /// One alarm: calls `ring` at or after `when`. It takes the place of an alarm that is on.
  void set_alarm(Instant when, std::function<void()> ring);

 private:
  friend class Watched;
  struct Impl;
  explicit Reactor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace portico::http::internal
