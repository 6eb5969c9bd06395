// The holder of a Lease (coordination.k8s.io/v1), and when another process may take it. Pure.
//
// Source: client-go's leader election. The times in a Lease come from other machines' clocks. What
// counts instead is how long it stays unchanged, by our own clock.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "base/time.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::cluster {

/// A monotonic time with an arbitrary origin.
using Instant = std::chrono::milliseconds;

class LeaseState {
 public:
  LeaseState(std::string holder, std::chrono::seconds duration)
      : holder_(std::move(holder)), duration_(duration) {}

  /// The Lease was observed in this state; null: it does not exist.
  void saw(const json::Value& lease, Instant now);

  /// Whether it may be taken now: it does not exist, has no holder, is ours, or its holder has not
  /// renewed it within its duration.
  bool is_free(Instant now) const;
  /// The earliest time at which it is free, if it is not renewed.
  Instant free_at() const;
  const std::string& held_by() const { return held_by_; }
  /// The resourceVersion last observed; 0: it did not exist.
  registry::ResourceVersion version() const { return krm::resource_version_of(lease_); }

  /// The object to write in order to take or renew it: the one last observed with changes
  /// (including its resourceVersion), or a new one.
  json::Value taken(const std::string& ns, const std::string& name, TimePoint now) const;
  /// The object to write in order to release it; null if it is not ours.
  json::Value given_back() const;

 private:
  std::string holder_;
  std::chrono::seconds duration_;
  json::Value lease_;
  std::string held_by_;
  std::chrono::milliseconds lasts_{};  // as stated by the holder
  Instant since_{};                    // when it last changed
};

}  // namespace portico::cluster
