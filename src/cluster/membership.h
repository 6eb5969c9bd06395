// Which processes work together: each renews its own Lease (coordination.k8s.io/v1), and recognizes
// by the other Leases which processes are alive.
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
  /// Used only for Leases; its calls must end within Lease::call_time().
  registry::Registry& registry;
  const Clock& clock;
  std::string ns;
  std::string group;   // the label portico.dev/members of their Leases, a label value
  std::string member;  // unique among all processes: a DNS subdomain, the name of the Lease
  /// How long a member counts without renewing its Lease, which it does every quarter of that time.
  std::chrono::seconds duration{15};
  Log* log = nullptr;  // may be null
  /// The live members, sorted; this process only while its Lease is known to be renewed. Called
  /// from a thread whenever they change. If lives() was false for however short a time, this
  /// process is reported as gone and then as new.
  std::function<void(const std::vector<std::string>& members)> changed;
  /// Called when the Lease is renewed again after renewals had failed: other connections to the API
  /// may be dead without notice. Called from a thread; may be empty.
  std::function<void()> reached_again = {};
};

/// Active from start() until destroyed. The destructor deletes the own Lease, so that others do not
/// wait for its expiry.
class Membership {
 public:
  /// Renews the Lease once and reads the others before it returns; kInvalid if that is refused.
  /// Other errors are retried from then on.
  static Result<std::unique_ptr<Membership>> start(MembershipOptions options);
  virtual ~Membership() = default;

  /// Whether our own Lease is known to be renewed, so that no other process takes over our work.
  /// `changed` reports the same a little later. Thread-safe.
  virtual bool lives() const = 0;
};

}  // namespace portico::cluster
