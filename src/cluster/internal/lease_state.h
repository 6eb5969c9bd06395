// Who holds a Lease (coordination.k8s.io/v1), and when somebody else may take it. Pure.
//
// Source: what client-go's leader election does with such objects. The times in them are other
// machines': what counts is how long one stays as it is, by our own clock.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "base/time.h"
#include "json/value.h"
#include "krm/meta.h"
#include "registry/registry.h"

namespace portico::cluster {

/// Of a monotonic clock, from any beginning.
using Instant = std::chrono::milliseconds;

class LeaseState {
 public:
  LeaseState(std::string holder, std::chrono::seconds duration)
      : holder_(std::move(holder)), duration_(duration) {}

  /// The Lease is so now; null: there is none.
  void saw(const json::Value& lease, Instant now);

  /// Whether it may be taken now: there is none, nobody has it, it is ours, or who has it has not
  /// renewed it in the time that it says.
  bool is_free(Instant now) const;
  /// When it is free at the earliest, if nobody renews it.
  Instant free_at() const;
  const std::string& held_by() const { return held_by_; }
  /// Of what was seen last; 0: there was none.
  registry::ResourceVersion version() const { return krm::resource_version_of(lease_); }

  /// The object that takes or renews it, as a change of what was seen last (with its
  /// resourceVersion), or a new one.
  json::Value taken(const std::string& ns, const std::string& name, TimePoint now) const;
  /// The object that gives it back; null where it is not ours.
  json::Value given_back() const;

 private:
  std::string holder_;
  std::chrono::seconds duration_;
  json::Value lease_;
  std::string held_by_;
  std::chrono::milliseconds lasts_{};  // what the holder says
  Instant since_{};                    // that it stands as it is
};

}  // namespace portico::cluster
