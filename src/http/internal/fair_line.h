// A queue in which flows take turns, so that the flow with most items waits longest.
#pragma once

#include <cstddef>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace portico::http::internal {

/// First in, first out within a flow. Not thread-safe.
template <class Item>
class FairLine {
 public:
  explicit FairLine(std::size_t most) : most_(most) {}

  /// If more than `most` items wait, removes and returns the newest item of the longest flow, which
  /// may be `item`.
  std::optional<Item> add(const std::string& flow, Item item) {
    auto [at, is_new] = flows_.try_emplace(flow);
    if (is_new) turns_.push_back(at->first);
    at->second.push_back(std::move(item));
    ++size_;
    if (size_ <= most_) return std::nullopt;
    auto longest = at;
    for (auto each = flows_.begin(); each != flows_.end(); ++each)
      if (each->second.size() > longest->second.size()) longest = each;
    return take_from(longest, false);
  }

  /// The next item of a flow for which may_go(flow) holds.
  template <class MayGo>
  std::optional<Item> take(MayGo&& may_go) {
    for (auto turn = turns_.begin(); turn != turns_.end(); ++turn) {
      if (!may_go(*turn)) continue;
      turns_.splice(turns_.end(), turns_, turn);
      return take_from(flows_.find(turns_.back()), true);
    }
    return std::nullopt;
  }
  std::optional<Item> take() {
    return take([](const std::string&) { return true; });
  }

  std::size_t size() const { return size_; }

 private:
  using Flows = std::unordered_map<std::string, std::deque<Item>>;

  Item take_from(typename Flows::iterator at, bool oldest) {
    std::deque<Item>& items = at->second;
    Item item = std::move(oldest ? items.front() : items.back());
    oldest ? items.pop_front() : items.pop_back();
    --size_;
    if (items.empty()) {
      turns_.remove(at->first);
      flows_.erase(at);
    }
    return item;
  }

  std::size_t most_, size_ = 0;
  Flows flows_;                   // none is empty
  std::list<std::string> turns_;  // all flows; the first one is next
};

}  // namespace portico::http::internal
