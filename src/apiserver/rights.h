// RBAC authorization with the current roles and bindings of a registry.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "access/impersonate.h"
#include "access/policy.h"
#include "access/request.h"
#include "apiserver/authorizer.h"
#include "apiserver/informer.h"
#include "base/clock.h"
#include "base/guarded.h"
#include "base/mutex.h"
#include "base/result.h"
#include "json/value.h"
#include "kubeapi/status_error.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Every answer reflects everything that was committed before the call. Thread-safe.
class Rights {
 public:
  /// If `authorizer` is not null, it gives the verdicts instead of the roles. All arguments must
  /// outlive it.
  static Result<std::unique_ptr<Rights>> open(registry::Registry& registry, const Clock& clock,
                                              Authorizer* authorizer = nullptr);

  Result<access::Verdict> verdict(const access::User& user, const access::Request& request);
  /// The reason for allowing it (names the binding; may be empty), or 403 with Kubernetes' message.
  kubeapi::StatusOr<std::string> reason_to_allow(const access::User& user,
                                                 const access::Request& request);
  kubeapi::StatusOr<Done> allow(const access::User& user, const access::Request& request);
  /// Answers a SelfSubjectRulesReview (access/review.h).
  Result<json::Value> rules_of(const access::User& user, const json::Value& review);
  /// Whether a user may replace the role or binding `stored` (null: it is new) with `wanted`: users
  /// cannot grant more than they have (access/escalation.h).
  Result<Done> may_grant(const access::User& user, const json::Value& stored,
                         const json::Value& wanted, std::string_view url_name);
  /// Whether a user may replace `stored` (null: it is new) with `wanted`: 403 if one of its demands
  /// is not met (access/required_rights.h).
  kubeapi::StatusOr<Done> may_say(const access::User& user, const kubeapi::Named& type,
                                  const json::Value& stored, const json::Value& wanted);
  Result<access::User> acting_as(const access::User& user, const access::Impersonation& wanted);

  /// Updates the rules of aggregated ClusterRoles from the roles that they select. Called after
  /// each write of a ClusterRole, so that the writer sees the final rules; changes by other
  /// processes are applied before the next request is authorized.
  Result<Done> settle();

 private:
  Rights(registry::Registry& registry, const Clock& clock, Authorizer* authorizer)
      : registry_(registry), clock_(clock), authorizer_(authorizer) {}
  Result<Done> catch_up();
  /// Reflects everything committed before the call.
  Result<std::shared_ptr<const access::Policy>> policy();

  registry::Registry& registry_;
  const Clock& clock_;
  Authorizer* const authorizer_;  // may be null
  access::Policy next_;           // changed only in the callbacks of roles_
  Guarded<std::shared_ptr<const access::Policy>> policy_;  // used to answer requests
  Mutex settling_;
  std::atomic<bool> unsettled_ = true;
  std::atomic<bool> is_settling_ = false;
  std::unique_ptr<Informer> roles_;  // last: it calls back
};

}  // namespace portico::apiserver
