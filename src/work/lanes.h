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

/// What shares a fate: a lane for each repository, say, in a group for each namespace.
struct Lane {
  std::string group, name;
  auto operator<=>(const Lane&) const = default;
};

/// How many keys of one lane are out at a time: `first` to begin with, and one more for each that
/// comes back, up to `most`. A lane in which everything hangs leaves workers
/// for the others; one that gets on has many, whose writes go together. A lane of which nothing is
/// left begins anew. 0: no limit.
struct LaneLimit {
  std::size_t first = 0;
  std::size_t most = first;
};

/// Groups take turns key by key; in each group its lanes do, each for up to kTurn keys, as the
/// writes of one lane go together. A turn ends early where the lane may have no more out. In a lane
/// it is first come, first served. Without threads or clock.
class Lanes {
 public:
  static constexpr std::size_t kTurn = 64;

  explicit Lanes(LaneLimit limit = {}) : limit_(limit) {}

  /// A key that is neither waiting nor out.
  void add(const Lane& lane, krm::ObjectKey key);
  struct Taken {
    Lane lane;
    krm::ObjectKey key;
  };
  /// The next key, which is out until put_back(). Nothing where none waits or all lanes in which
  /// some do are at their limit.
  std::optional<Taken> take();
  void put_back(const Lane& lane);
  /// How many wait in each lane.
  std::map<Lane, std::size_t> waiting() const {
    std::map<Lane, std::size_t> out;
    for (const auto& [name, group] : groups_)
      for (const auto& [lane, keys] : group.lanes) out[{name, lane}] = keys.size();
    return out;
  }
  /// Whether take() has something to hand out.
  bool can_take() const { return next_group() != groups_.end(); }

 private:
  struct Group {
    std::map<std::string, std::deque<krm::ObjectKey>> lanes;  // none of them empty
    std::string turn;                                         // the lane that was served last
    std::size_t given = 0;                                    // keys of it in this turn
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
  std::map<Lane, Out> out_;  // lanes of which some key is, or that go on
};

}  // namespace portico::work
