// Which processes work together: each renews a Lease of its own (coordination.k8s.io/v1), and sees
// by those of the others who lives.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "registry/registry.h"

namespace portico::cluster {

struct MembershipOptions {
  /// Asked for nothing but Leases; a call ends within Lease::call_time().
  registry::Registry& registry;
  const Clock& clock;
  std::string ns;
  std::string group;   // the label portico.dev/members of their Leases, a label value
  std::string member;  // unlike that of any other process: a DNS subdomain, the Lease's name
  /// How long a member that says nothing any more is counted. Renewed four times as often.
  std::chrono::seconds duration{15};
  Log* log = nullptr;  // may be null
  /// The members that live, sorted; the own one only while its Lease is known to be renewed. Called
  /// from a thread, each time they change: after lives() was false the own one comes anew, however
  /// short that was.
  std::function<void(const std::vector<std::string>& members)> changed;
  /// The Lease is renewed again after it could not be for a while: what else is connected to the
  /// API may be cut off without knowing. Called from a thread; may be empty.
  std::function<void()> reached_again = {};
};

/// From start() until it is destroyed: then the own Lease is deleted, so that nobody waits for its
/// time to end.
class Membership {
 public:
  /// Renews the Lease once and looks for the others before it returns: kInvalid where that is
  /// refused. What fails otherwise is tried again from then on.
  static Result<std::unique_ptr<Membership>> start(MembershipOptions options);
  virtual ~Membership() = default;

  /// Whether our own Lease is known to be renewed, and nobody takes over what is ours: what
  /// `changed` says a little later. Safe from any thread.
  virtual bool lives() const = 0;
};

}  // namespace portico::cluster
