// A least-recently-used cache of expensive objects, by name; objects in use are never evicted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/guarded.h"

namespace portico::fnrun {

/// Keeps at most `most` objects, or more while they are in use: evicts the least recently used
/// object that has no other owner. Thread-safe.
template <class T>
class Kept {
 public:
  explicit Kept(std::size_t most) : most_(most) {}

  /// Null if it is not cached.
  std::shared_ptr<const T> find(const std::string& name) {
    return state_.with([&](State& state) -> std::shared_ptr<const T> {
      const auto found = state.entries.find(name);
      if (found == state.entries.end()) return nullptr;
      found->second.used = ++state.uses;
      return found->second.value;
    });
  }

  /// Returns the object cached under the name: `made`, or one that another thread added first.
  std::shared_ptr<const T> add(const std::string& name, std::shared_ptr<const T> made) {
    std::map<std::string, Entry> gone;  // destroyed after the lock is released
    return state_.with([&](State& state) {
      Entry& entry = state.entries[name];
      if (entry.value == nullptr) entry.value = std::move(made);
      entry.used = ++state.uses;
      std::shared_ptr<const T> out = entry.value;
      while (state.entries.size() > most_) {
        const auto oldest = oldest_unused(state);
        if (oldest == state.entries.end()) break;
        gone.insert(state.entries.extract(oldest));
      }
      return out;
    });
  }

  std::size_t size() const {
    return state_.with([](const State& state) { return state.entries.size(); });
  }

 private:
  struct Entry {
    std::shared_ptr<const T> value;
    std::uint64_t used = 0;
  };
  struct State {
    std::map<std::string, Entry> entries;
    std::uint64_t uses = 0;
  };
  // Copies are only made under the lock, so an object whose only owner is the cache stays unused.
  static auto oldest_unused(State& state) {
    auto out = state.entries.end();
    for (auto at = state.entries.begin(); at != state.entries.end(); ++at)
      if (at->second.value.use_count() == 1 &&
          (out == state.entries.end() || at->second.used < out->second.used))
        out = at;
    return out;
  }

  const std::size_t most_;
  Guarded<State> state_;
};

}  // namespace portico::fnrun
