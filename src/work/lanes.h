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

/// Groups take turns, and in each group its lanes; in a lane it is first come, first served. Of one
/// lane no more than `limit` keys are out at a time, so that a lane in which everything hangs
/// leaves workers for the others. Without threads or clock.
class Lanes {
 public:
  /// 0: no limit.
  explicit Lanes(std::size_t limit = 0) : limit_(limit) {}

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
  };
  using Groups = std::map<std::string, Group>;
  using InGroup = std::map<std::string, std::deque<krm::ObjectKey>>;

  bool is_free(const std::string& group, const std::string& lane) const;
  InGroup::const_iterator next_lane(const std::string& name, const Group& group) const;
  Groups::const_iterator next_group() const;

  std::size_t limit_;
  Groups groups_;
  std::string turn_;  // the group that was served last
  std::map<Lane, std::size_t> out_;
};

}  // namespace portico::work
