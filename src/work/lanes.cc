#include "work/lanes.h"

#include <utility>

namespace portico::work {
namespace {

/// The first that is acceptable after `turn`, round the end; else end().
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

bool Lanes::is_free(const std::string& group, const std::string& lane) const {
  if (limit_ == 0) return true;
  const auto out = out_.find(Lane{group, lane});
  return out == out_.end() || out->second < limit_;
}

Lanes::InGroup::const_iterator Lanes::next_lane(const std::string& name, const Group& group) const {
  return after_turn(group.lanes, group.turn,
                    [&](const auto& lane) { return is_free(name, lane.first); });
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
  group.turn = taken.lane.name;
  if (keys.empty()) group.lanes.erase(taken.lane.name);
  turn_ = taken.lane.group;
  if (group.lanes.empty()) groups_.erase(taken.lane.group);
  ++out_[taken.lane];
  return taken;
}

void Lanes::put_back(const Lane& lane) {
  const auto out = out_.find(lane);
  if (--out->second == 0) out_.erase(out);
}

}  // namespace portico::work
