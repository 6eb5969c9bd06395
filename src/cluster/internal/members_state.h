// Which members of a group of processes are alive, according to their Leases. Pure.
//
// The times in a Lease come from other machines' clocks. What counts instead is how long it stays
// unchanged, by our own clock.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "cluster/internal/lease_state.h"
#include "json/value.h"

namespace portico::cluster {

class MembersState {
 public:
  MembersState(std::string member, std::chrono::seconds duration)
      : member_(std::move(member)), duration_(duration) {}

  /// The Leases of the group were observed in this state.
  void saw(const std::vector<json::Value>& leases, Instant now);
  /// Our own Lease was renewed by a call that began at `began`.
  void renewed(Instant began) { renewed_ = began, ours_ = true; }

  /// Sorted. Includes this process until five sixths of the duration have passed since its renewal,
  /// so that it stops before others take over its work.
  std::vector<std::string> members(Instant now) const;
  /// Until when this process is included.
  Instant lives_until() const { return ours_ ? renewed_ + duration_ * 5 / 6 : Instant::min(); }
  /// The Leases that have not been renewed for ten times their duration, to be deleted.
  std::vector<json::Value> abandoned(Instant now) const;

 private:
  struct Other {
    json::Value lease;
    Instant since{};  // when it last changed
    std::chrono::milliseconds lasts{};
  };
  const std::string member_;
  const std::chrono::milliseconds duration_;
  std::map<std::string, Other> others_;  // by name
  Instant renewed_{};
  bool ours_ = false;
};

}  // namespace portico::cluster
