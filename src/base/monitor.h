// A guarded value that threads can wait on.
#pragma once

#include <chrono>
#include <utility>

#include "base/mutex.h"

namespace portico {

/// Guarded<T> with a condition: change(f) runs f(T&) under the lock and wakes whoever waits. As
/// with Guarded, never block or call a port from inside.
template <class T>
class Monitor {
 public:
  template <class... Args>
  explicit Monitor(Args&&... args) : value_(std::forward<Args>(args)...) {}

  template <class F>
  decltype(auto) with(F&& f) {
    const MutexLock lock(mutex_);
    return std::forward<F>(f)(value_);
  }
  template <class F>
  decltype(auto) with(F&& f) const {
    const MutexLock lock(mutex_);
    return std::forward<F>(f)(value_);
  }

  template <class F>
  decltype(auto) change(F&& f) {
    // Destroyed last: waiters are woken after the lock is gone, however f returns.
    struct Wake {
      Changed& changed;
      ~Wake() { changed.notify_all(); }
    } wake{changed_};
    const MutexLock lock(mutex_);
    return std::forward<F>(f)(value_);
  }

  /// The same for what only one waiter can take: wakes one of them.
  template <class F>
  decltype(auto) change_for_one(F&& f) {
    struct Wake {
      Changed& changed;
      ~Wake() { changed.notify_one(); }
    } wake{changed_};
    const MutexLock lock(mutex_);
    return std::forward<F>(f)(value_);
  }

  /// Blocks until ready(const T&) holds, then hands back f(T&), run under the same lock.
  template <class Ready, class F>
  decltype(auto) wait(Ready&& ready, F&& f) {
    MutexLock lock(mutex_);
    while (!ready(std::as_const(value_))) changed_.wait(lock);
    return std::forward<F>(f)(value_);
  }

  /// The same, but gives up at the deadline; f runs in either case.
  template <class Time, class Ready, class F>
  decltype(auto) wait_until(const Time& deadline, Ready&& ready, F&& f) {
    MutexLock lock(mutex_);
    while (!ready(std::as_const(value_)) && changed_.wait_until(lock, deadline)) {
    }
    return std::forward<F>(f)(value_);
  }

 private:
  mutable Mutex mutex_;
  Changed changed_;
  T value_ PORTICO_GUARDED_BY(mutex_);
};

}  // namespace portico
