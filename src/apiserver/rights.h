// Who may do what, by the roles and bindings that a registry has now.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "access/impersonate.h"
#include "access/policy.h"
#include "access/request.h"
#include "apiserver/authorizer.h"
#include "apiserver/following.h"
#include "base/clock.h"
#include "base/guarded.h"
#include "base/mutex.h"
#include "base/result.h"
#include "json/value.h"
#include "kubeapi/refusal.h"
#include "registry/registry.h"

namespace portico::apiserver {

/// Every question is answered by what was committed before it was asked. Safe from any thread.
class Rights {
 public:
  /// `authorizer`, where it is not null, is asked for verdicts in place of the roles. All outlive
  /// it.
  static Result<std::unique_ptr<Rights>> open(registry::Registry& registry, const Clock& clock,
                                              Authorizer* authorizer = nullptr);

  Result<access::Verdict> verdict(const access::User& user, const access::Request& request);
  /// The reason why it may be (of the binding; may be empty), or 403 with Kubernetes' text.
  kubeapi::Reply<std::string> reason_to_allow(const access::User& user,
                                              const access::Request& request);
  kubeapi::Reply<Done> allow(const access::User& user, const access::Request& request);
  /// A SelfSubjectRulesReview (access/review.h).
  Result<json::Value> rules_of(const access::User& user, const json::Value& review);
  /// Whether a user may write a role or binding in place of `stored` (null: it is new): nobody
  /// grants more than they have (access/escalation.h).
  Result<Done> may_grant(const access::User& user, const json::Value& stored,
                         const json::Value& wanted, std::string_view url_name);
  /// Whether a user may write what is in `wanted` in place of `stored` (null: it is new): 403 where
  /// a demand of it is not met (access/demands.h).
  kubeapi::Reply<Done> may_say(const access::User& user, const kubeapi::Named& type,
                               const json::Value& stored, const json::Value& wanted);
  Result<access::User> acting_as(const access::User& user, const access::Impersonation& wanted);

  /// Brings the rules of aggregated ClusterRoles up to date with the roles that they select. Asked
  /// for after each write of a ClusterRole, so that who wrote finds them as they are to be; changes
  /// by others are seen before the next question is answered.
  Result<Done> settle();

 private:
  Rights(registry::Registry& registry, const Clock& clock, Authorizer* authorizer)
      : registry_(registry), clock_(clock), authorizer_(authorizer) {}
  Result<Done> catch_up();
  /// By all that was committed before the call.
  Result<std::shared_ptr<const access::Policy>> policy();

  registry::Registry& registry_;
  const Clock& clock_;
  Authorizer* const authorizer_;  // may be null
  access::Policy next_;           // changed within the callbacks of roles_ alone
  Guarded<std::shared_ptr<const access::Policy>> policy_;  // what questions are answered by
  Mutex settling_;
  std::atomic<bool> unsettled_ = true;
  std::atomic<bool> is_settling_ = false;
  std::unique_ptr<Following> roles_;  // last: it calls back
};

}  // namespace portico::apiserver
