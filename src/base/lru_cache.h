// A cache of recently used values, limited by bytes.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace portico {

/// Values by name; the least recently used ones are evicted. Not thread-safe (use Guarded).
template <class T>
class LruCache {
 public:
  explicit LruCache(std::size_t bytes) : most_(bytes) {}

  /// nullptr if it is not in the cache.
  std::shared_ptr<const T> find(const std::string& name) {
    const auto at = index_.find(name);
    if (at == index_.end()) return nullptr;
    items_.splice(items_.begin(), items_, at->second);
    return at->second->value;
  }

  /// No-op if the name is already present, or if the value takes more than a quarter of all bytes.
  void add(const std::string& name, std::shared_ptr<const T> value, std::size_t bytes) {
    if (bytes > most_ / 4 || index_.contains(name)) return;
    items_.push_front({name, std::move(value), bytes});
    index_[name] = items_.begin();
    have_ += bytes;
    while (have_ > most_) {
      have_ -= items_.back().bytes;
      index_.erase(items_.back().name);
      items_.pop_back();
    }
  }

 private:
  struct Item {
    std::string name;
    std::shared_ptr<const T> value;
    std::size_t bytes;
  };
  std::size_t most_, have_ = 0;
  std::list<Item> items_;  // most recently used at the front
  std::unordered_map<std::string, typename std::list<Item>::iterator> index_;
};

}  // namespace portico
