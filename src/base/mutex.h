// Locks whose rules clang checks (-Wthread-safety): state says which lock guards it, functions say
// which they need. Guarded<T> and Monitor<T> are the first choice; these are for what they cannot
// say.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define PORTICO_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define PORTICO_THREAD_ATTRIBUTE(x)  // GCC knows none of them
#endif
#define PORTICO_GUARDED_BY(lock) PORTICO_THREAD_ATTRIBUTE(guarded_by(lock))
#define PORTICO_REQUIRES(...) PORTICO_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define PORTICO_EXCLUDES(...) PORTICO_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

namespace portico {

/// Held through a MutexLock.
class PORTICO_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

/// Holds a Mutex until it ends; may let go of it in between.
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

/// What threads that hold a lock wait for, in a loop that looks at the state again: what the
/// analysis cannot see into a predicate, it sees in a loop.
class Changed {
 public:
  void wait(MutexLock& held) { condition_.wait(held.lock_); }
  /// False where the time is over.
  bool wait_until(MutexLock& held, std::chrono::steady_clock::time_point deadline) {
    return condition_.wait_until(held.lock_, deadline) == std::cv_status::no_timeout;
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace portico
