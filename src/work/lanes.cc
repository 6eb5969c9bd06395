#include "work/lanes.h"

#include <algorithm>
#include <utility>

namespace portico::work {
namespace {

/// The first acceptable entry after `turn`, wrapping around; else end().
template <class Map, class Accept>
typename Map::const_iterator after_turn(const Map& map, const std::string& turn,
                                        const Accept& accept) {
  const auto begin = map.upper_bound(turn);
  for (auto at = begin; at != map.end(); ++at)
    if (accept(*at)) return at;
  for (auto at = map.begin(); at != begin; ++at)
    if (accept(*at)) return at;
  return map.end();
}

}  // namespace

void Lanes::add(const Lane& lane, krm::ObjectKey key) {
  groups_[lane.group].lanes[lane.name].push_back(std::move(key));
}

bool Lanes::is_free(const Lane& lane) const {
  const auto out = out_.find(lane);
  return limit_.first == 0 || out == out_.end() || out->second.keys < out->second.allowed;
}

Lanes::InGroup::const_iterator Lanes::next_lane(const std::string& name, const Group& group) const {
  const auto at = group.lanes.find(group.turn);
  if (at != group.lanes.end() && group.given < kTurn && is_free({name, group.turn})) return at;
  return after_turn(group.lanes, group.turn, [&](const auto& lane) {
    return is_free({name, lane.first});
  });
}

Lanes::Groups::const_iterator Lanes::next_group() const {
  return after_turn(groups_, turn_, [&](const auto& group) {
    return next_lane(group.first, group.second) != group.second.lanes.end();
  });
}

std::optional<Lanes::Taken> Lanes::take() {
  const auto found = next_group();
  if (found == groups_.end()) return std::nullopt;
  Taken taken{{found->first, next_lane(found->first, found->second)->first}, {}};
  Group& group = groups_.at(taken.lane.group);
  std::deque<krm::ObjectKey>& keys = group.lanes.at(taken.lane.name);
  taken.key = std::move(keys.front());
  keys.pop_front();
  group.given = group.turn == taken.lane.name && group.given < kTurn ? group.given + 1 : 1;
  group.turn = taken.lane.name;
  if (keys.empty()) group.lanes.erase(taken.lane.name);
  turn_ = taken.lane.group;
  if (group.lanes.empty()) groups_.erase(taken.lane.group);
  ++out_.try_emplace(taken.lane, Out{0, limit_.first}).first->second.keys;
  return taken;
}

void Lanes::put_back(const Lane& lane) {
  const auto out = out_.find(lane);
  out->second.allowed = std::min(out->second.allowed + 1, std::max(limit_.first, limit_.most));
  if (--out->second.keys > 0) return;
  const auto group = groups_.find(lane.group);
  if (group == groups_.end() || !group->second.lanes.contains(lane.name)) out_.erase(out);
}

}  // namespace portico::work
