#include "apiserver/rights.h"

#include "access/aggregate.h"
#include "access/escalation.h"
#include "access/forbidden.h"
#include "access/required_rights.h"
#include "access/review.h"
#include "fieldset/apply.h"
#include "krm/meta.h"
#include "kubeapi/core_schemas.h"

namespace portico::apiserver {

using json::Value;

namespace {

const krm::GroupKind kClusterRole{std::string(access::kGroup), "ClusterRole"};
constexpr const char* kVersion = "rbac.authorization.k8s.io/v1";

kubeapi::StatusError not_allowed(const access::User& user, const access::Request& request,
                                 std::string_view reason) {
  kubeapi::StatusError out{403, "Forbidden", access::forbidden(user, request, reason).what,
                           kubeapi::Details{}};
  if (!request.is_resource) return out;
  out.details->name = request.name;
  out.details->group = request.group;
  out.details->kind = request.resource;
  return out;
}

// The role with its rules, which are owned by Kubernetes' aggregation controller.
Result<Value> with_rules(const Value& role, const Value& rules, TimePoint now) {
  fieldset::Versions versions;
  versions.types.emplace(
      kVersion, fieldset::ObjectType(kubeapi::core_schema(kClusterRole.group, kClusterRole.kind)));
  const Value applied = Value::object({{"apiVersion", kVersion},
                                       {"kind", kClusterRole.kind},
                                       {"metadata", Value::object({{"name", krm::name_of(role)}})},
                                       {"rules", rules}});
  return fieldset::apply(
      role, applied, true, versions,
      {.manager = "clusterrole-aggregation-controller", .api_version = kVersion, .now = now});
}

}  // namespace

Result<std::unique_ptr<Rights>> Rights::open(registry::Registry& registry, const Clock& clock,
                                             Authorizer* authorizer) {
  std::unique_ptr<Rights> out(new Rights(registry, clock, authorizer));
  std::vector<krm::GroupKind> kinds;
  for (const char* kind : {"Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"})
    kinds.push_back({std::string(access::kGroup), kind});
  Rights& rights = *out;
  const auto noted = [&rights](const Value& object) {
    if (object["kind"].as_string() == kClusterRole.kind) rights.unsettled_ = true;
  };
  PORTICO_TRY(out->roles_,
              Informer::open(registry, std::move(kinds),
                             {.put =
                                  [&rights, noted](const Value& object) {
                                    rights.next_.put(object);
                                    noted(object);
                                  },
                              .remove =
                                  [&rights, noted](const Value& object) {
                                    rights.next_.remove(object["kind"].as_string(),
                                                        krm::namespace_of(object),
                                                        krm::name_of(object));
                                    noted(object);
                                  },
                              .told =
                                  [&rights] {
                                    auto now = std::make_shared<const access::Policy>(rights.next_);
                                    // The previous policy is destroyed after the lock is released.
                                    rights.policy_.with([&](auto& policy) { policy.swap(now); });
                                  }}));
  return out;
}

Result<Done> Rights::settle() {
  constexpr int kMostTries = 10;
  for (int attempt = 1;; ++attempt) {
    PORTICO_TRY(const registry::Listing all, registry_.list({.type = kClusterRole}));
    std::vector<registry::Write> writes;
    for (const Value& role : all.objects) {
      const auto wanted = access::aggregated(role, all.objects);
      if (!wanted) continue;
      PORTICO_TRY(Value object, with_rules(role, (*wanted)["rules"], clock_.now()));
      writes.push_back({registry::Verb::kUpdate, std::move(object)});
    }
    if (writes.empty()) return Done{};
    for (const auto& done : registry_.commit_each(writes))
      // It changed or was deleted since it was read: the next round handles that.
      if (!done && (attempt == kMostTries ||
                    (done.error().code != Code::kConflict && done.error().code != Code::kNotFound)))
        return done.error();
  }
}

Result<Done> Rights::catch_up() {
  PORTICO_DO(roles_->catch_up());
  // A caller that finds nothing unsettled waits for a thread that is settling. As in Following, it
  // takes no lock if there is none.
  if (!unsettled_ && !is_settling_) return Done{};
  const MutexLock lock(settling_);
  if (!unsettled_) return Done{};
  is_settling_ = true;
  unsettled_ = false;
  auto settled = settle();
  if (settled) settled = roles_->catch_up();
  if (!settled) unsettled_ = true;
  is_settling_ = false;
  return settled;
}

Result<std::shared_ptr<const access::Policy>> Rights::policy() {
  PORTICO_DO(catch_up());
  return policy_.with([](const auto& policy) { return policy; });
}

Result<access::Verdict> Rights::verdict(const access::User& user, const access::Request& request) {
  if (authorizer_ != nullptr) return authorizer_->verdict(user, request);
  PORTICO_TRY(const auto policy, this->policy());
  return policy->authorize(user, request);
}

kubeapi::StatusOr<std::string> Rights::reason_to_allow(const access::User& user,
                                                       const access::Request& request) {
  PORTICO_TRY(access::Verdict answer, verdict(user, request));
  if (answer.allowed) return std::move(answer.reason);
  return not_allowed(user, request, answer.reason);
}

kubeapi::StatusOr<Done> Rights::allow(const access::User& user, const access::Request& request) {
  PORTICO_DO(reason_to_allow(user, request));
  return Done{};
}

Result<Value> Rights::rules_of(const access::User& user, const Value& review) {
  PORTICO_TRY(const auto policy, this->policy());
  return access::rules_review(*policy, user, review);
}

Result<Done> Rights::may_grant(const access::User& user, const Value& stored, const Value& wanted,
                               std::string_view url_name) {
  PORTICO_TRY(const auto policy, this->policy());
  return wanted["kind"].as_string().ends_with("Binding")
             ? access::check_binding(*policy, user, stored, wanted)
             : access::check_role(*policy, user, stored, wanted, url_name);
}

kubeapi::StatusOr<Done> Rights::may_say(const access::User& user, const kubeapi::Named& type,
                                        const Value& stored, const Value& wanted) {
  for (const access::RequiredRight& demand : access::demands(stored, wanted)) {
    PORTICO_TRY(const access::Verdict answer, verdict(user, demand.request));
    if (!answer.allowed)
      return kubeapi::forbidden_object(
          type, krm::name_of(wanted),
          demand.why + ": " + access::forbidden(user, demand.request, answer.reason).what);
  }
  return Done{};
}

Result<access::User> Rights::acting_as(const access::User& user,
                                       const access::Impersonation& wanted) {
  PORTICO_TRY(const auto policy, this->policy());
  return access::impersonate(*policy, user, wanted);
}

}  // namespace portico::apiserver
