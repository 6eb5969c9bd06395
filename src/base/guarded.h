// A value that is only accessible while its mutex is held.
#pragma once

#include <utility>

#include "base/mutex.h"

namespace portico {

/// with(f) calls f(T&) under the lock and returns its result. f must never call a port or anything
/// that blocks.
template <class T>
class Guarded {
 public:
  template <class... Args>
  explicit Guarded(Args&&... args) : value_(std::forward<Args>(args)...) {}

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

 private:
  mutable Mutex mutex_;
  T value_ PORTICO_GUARDED_BY(mutex_);
};

}  // namespace portico
