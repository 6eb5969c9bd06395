// Threads that wait for sockets and timers, based on Boost.Asio.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "base/result.h"

namespace portico::http::internal {

using Instant = std::chrono::steady_clock::time_point;

/// Called when a descriptor is ready. Kept alive while a wait is active.
class Waiter {
 public:
  virtual ~Waiter() = default;
  virtual void readable() = 0;
  virtual void writable() = 0;
};

class Reactor;

/// Watches one descriptor, which the caller owns and must keep open during the lifetime of this
/// object. One wait per direction at a time; destruction cancels active waits. Not thread-safe.
class Watched {
 public:
  /// Null if the system cannot watch another descriptor.
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

/// Thread-safe, except for stop() and destruction.
class Reactor {
 public:
  static Result<std::unique_ptr<Reactor>> start(std::size_t threads);
  ~Reactor();
  /// Joins the threads; drops tasks that have not run.
  void stop();

  void post(std::function<void()> task);
  /// A single alarm: calls `ring` at or after `when`. Replaces an active alarm.
  void set_alarm(Instant when, std::function<void()> ring);

 private:
  friend class Watched;
  struct Impl;
  explicit Reactor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace portico::http::internal
