// Keys that wait for a worker, in lanes that take turns.
#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "krm/meta.h"

namespace portico::work {

/// Keys that depend on the same thing: for example a lane for each repository, in a group for each
/// namespace.
struct Lane {
  std::string group, name;
  auto operator<=>(const Lane&) const = default;
};

/// How many keys of one lane may be out at a time: `first` initially, and one more for each key
/// that is put back, up to `most`. A lane whose keys all hang thus leaves workers for the other
/// lanes, while one that makes progress gets many, whose writes are batched. A lane with no keys
/// left starts over. 0: no limit.
struct LaneLimit {
  std::size_t first = 0;
  std::size_t most = first;
};

/// Groups take turns key by key. Within a group the lanes take turns, each for up to kTurn keys,
/// because the writes of one lane are batched. A turn ends early when the lane reaches its limit.
/// Each lane is first in, first out. Has no threads and no clock.
class Lanes {
 public:
  static constexpr std::size_t kTurn = 64;

  explicit Lanes(LaneLimit limit = {}) : limit_(limit) {}

  /// The key must be neither waiting nor out.
  void add(const Lane& lane, krm::ObjectKey key);
  struct Taken {
    Lane lane;
    krm::ObjectKey key;
  };
  /// The next key, which is out until put_back(). Nullopt if no key waits or every lane with
  /// waiting keys is at its limit.
  std::optional<Taken> take();
  void put_back(const Lane& lane);
  /// How many wait in each lane.
  std::map<Lane, std::size_t> waiting() const {
    std::map<Lane, std::size_t> out;
    for (const auto& [name, group] : groups_)
      for (const auto& [lane, keys] : group.lanes) out[{name, lane}] = keys.size();
    return out;
  }
  /// Whether take() would return a key.
  bool can_take() const { return next_group() != groups_.end(); }

 private:
  struct Group {
    std::map<std::string, std::deque<krm::ObjectKey>> lanes;  // none of them empty
    std::string turn;                                         // the lane that was served last
    std::size_t given = 0;                                    // keys taken from it in this turn
  };
  struct Out {
    std::size_t keys = 0, allowed = 0;
  };
  using Groups = std::map<std::string, Group>;
  using InGroup = std::map<std::string, std::deque<krm::ObjectKey>>;

  bool is_free(const Lane& lane) const;
  InGroup::const_iterator next_lane(const std::string& name, const Group& group) const;
  Groups::const_iterator next_group() const;

  LaneLimit limit_;
  Groups groups_;
  std::string turn_;         // the group that was served last
  std::map<Lane, Out> out_;  // that have keys out, or had, and have some waiting
};

}  // namespace portico::work
