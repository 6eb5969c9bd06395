// A guarded value that threads can wait on.
#pragma once

#include <chrono>
#include <utility>

#include "base/mutex.h"

namespace portico {

/// Guarded<T> with a condition variable: change(f) runs f(T&) under the lock and wakes all waiters.
/// As with Guarded, f must never block or call a port.
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
    // Destroyed last: waiters are woken after the lock is released, even if f throws.
    struct Wake {
      Changed& changed;
      ~Wake() { changed.notify_all(); }
    } wake{changed_};
    const MutexLock lock(mutex_);
    return std::forward<F>(f)(value_);
  }

  /// Like change(), for changes that only one waiter can use: wakes one waiter.
  template <class F>
  decltype(auto) change_for_one(F&& f) {
    struct Wake {
      Changed& changed;
      ~Wake() { changed.notify_one(); }
    } wake{changed_};
    const MutexLock lock(mutex_);
    return std::forward<F>(f)(value_);
  }

  /// Blocks until ready(const T&) holds, then returns f(T&), run under the same lock. Wakes no
  /// other waiters.
  template <class Ready, class F>
  decltype(auto) wait(Ready&& ready, F&& f) {
    MutexLock lock(mutex_);
    while (!ready(std::as_const(value_))) changed_.wait(lock);
    return std::forward<F>(f)(value_);
  }

  /// Like wait(), but gives up at the deadline; f runs in either case.
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
