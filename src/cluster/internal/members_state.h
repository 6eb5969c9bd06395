// Who lives, by the Leases of a group of processes. Pure.
//
// The times in Leases are other machines': what counts is how long one stays as it is, by our own
// clock.
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

  /// The Leases of the group are these now.
  void saw(const std::vector<json::Value>& leases, Instant now);
  /// Our own was renewed by a call that began then.
  void renewed(Instant began) { renewed_ = began, ours_ = true; }

  /// Sorted. We are among them until five sixths of the time are over since we renewed: before
  /// others take over what is ours.
  std::vector<std::string> members(Instant now) const;
  /// Until when we are among them.
  Instant lives_until() const { return ours_ ? renewed_ + duration_ * 5 / 6 : Instant::min(); }
  /// Those that nobody has renewed for ten times as long as they say: to be deleted.
  std::vector<json::Value> abandoned(Instant now) const;

 private:
  struct Other {
    json::Value lease;
    Instant since{};  // that it stands as it is
    std::chrono::milliseconds lasts{};
  };
  const std::string member_;
  const std::chrono::milliseconds duration_;
  std::map<std::string, Other> others_;  // by name
  Instant renewed_{};
  bool ours_ = false;
};

}  // namespace portico::cluster
