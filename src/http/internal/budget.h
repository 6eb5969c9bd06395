// A byte limit shared by many users.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace portico::http::internal {

/// Thread-safe.
class Budget {
 public:
  explicit Budget(std::size_t most) : most_(most) {}

 private:
  friend class Charge;
  std::atomic<std::size_t> used_{0};
  std::size_t most_;
};

/// One user's part of a budget, returned on destruction. Not thread-safe.
class Charge {
 public:
  Charge() = default;
  explicit Charge(Budget& budget) : budget_(&budget) {}
  Charge(Charge&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Charge() { set(0); }

  /// Returns whether the budget still covers it; the bytes are charged either way.
  bool set(std::size_t bytes) {
    if (budget_ == nullptr) return true;
    const std::size_t before = budget_->used_.fetch_add(bytes - bytes_);
    const std::size_t now = before + (bytes - bytes_);
    const bool grows = bytes > bytes_;
    bytes_ = bytes;
    return !grows || now <= budget_->most_;
  }

 private:
  Budget* budget_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace portico::http::internal
