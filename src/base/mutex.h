// Locks that clang's thread safety analysis checks (-Wthread-safety): data declares which lock
// guards it, functions declare which locks they need. Prefer Guarded<T> and Monitor<T>; use these
// where those do not suffice.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define PORTICO_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define PORTICO_THREAD_ATTRIBUTE(x)  // GCC has no such attributes
#endif
#define PORTICO_GUARDED_BY(lock) PORTICO_THREAD_ATTRIBUTE(guarded_by(lock))
#define PORTICO_REQUIRES(...) PORTICO_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define PORTICO_EXCLUDES(...) PORTICO_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

namespace portico {

/// Locked through a MutexLock.
class PORTICO_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

/// Holds a Mutex for its lifetime; may release and reacquire it in between.
class PORTICO_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) PORTICO_THREAD_ATTRIBUTE(acquire_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~MutexLock() PORTICO_THREAD_ATTRIBUTE(release_capability()) = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() PORTICO_THREAD_ATTRIBUTE(release_capability()) { lock_.unlock(); }
  void lock() PORTICO_THREAD_ATTRIBUTE(acquire_capability()) { lock_.lock(); }

 private:
  friend class Changed;
  std::unique_lock<std::mutex> lock_;
};

/// A condition variable. Wait in a loop that rechecks the state: the analysis cannot look into a
/// predicate, but it can check a loop.
class Changed {
 public:
  void wait(MutexLock& held) { condition_.wait(held.lock_); }
  /// False after the deadline.
  bool wait_until(MutexLock& held, std::chrono::steady_clock::time_point deadline) {
    return condition_.wait_until(held.lock_, deadline) == std::cv_status::no_timeout;
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace portico
