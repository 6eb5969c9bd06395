// Limits how many repositories hold resources: the least recently used ones rest.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <unordered_map>

#include "base/guarded.h"

namespace portico::gitpackages {

/// An LRU set of things that hold resources while in use (files, memory): at most `most` stay
/// awake. T has rest(). Thread-safe.
template <class T>
class Awake {
 public:
  explicit Awake(std::size_t most) : most_(most) {}

  /// Marks `one` as used; if too many are awake, the least recently used one rests.
  void use(const std::shared_ptr<T>& one) {
    const std::shared_ptr<T> tired = state_.with([&](State& state) -> std::shared_ptr<T> {
      if (const auto at = state.places.find(one.get()); at != state.places.end()) {
        state.order.splice(state.order.begin(), state.order, at->second);
        state.order.front().one = one;  // may reuse the address of a destroyed one
        return nullptr;
      }
      state.order.push_front({one.get(), one});
      state.places[one.get()] = state.order.begin();
      if (state.order.size() <= most_) return nullptr;
      auto last = state.order.back().one.lock();
      state.places.erase(state.order.back().address);
      state.order.pop_back();
      return last;
    });
    if (tired != nullptr) tired->rest();
  }

 private:
  struct Place {
    const T* address;
    std::weak_ptr<T> one;
  };
  struct State {
    std::list<Place> order;  // most recently used first
    std::unordered_map<const T*, typename std::list<Place>::iterator> places;
  };
  const std::size_t most_;
  Guarded<State> state_;
};

}  // namespace portico::gitpackages
