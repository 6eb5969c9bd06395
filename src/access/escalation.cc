#include "access/escalation.h"

#include <fmt/format.h>

#include "base/go_quoted.h"
#include "krm/meta.h"

namespace portico::access {
namespace {

using json::Value;

std::string resource_of(std::string_view kind) {
  if (kind == "Role") return "roles";
  if (kind == "ClusterRole") return "clusterroles";
  return kind == "RoleBinding" ? "rolebindings" : "clusterrolebindings";
}

Error forbidden(const Value& object, std::string_view why) {
  const std::string_view name = krm::name_of(object);
  return portico::forbidden("{}.{}{} is forbidden: {}", resource_of(object["kind"].as_string()),
                            kGroup, name.empty() ? std::string() : " " + go_quoted(name), why);
}

/// Fields that the garbage collector changes do not grant rights.
Value without_gc_fields(const Value& object) {
  return object.without_at({"metadata", "ownerReferences"})
      .without_at({"metadata", "finalizers"})
      .without_at({"metadata", "managedFields"});
}

bool same_for_all_but_gc(const Value& stored, const Value& wanted) {
  return !stored.is_null() && without_gc_fields(stored) == without_gc_fields(wanted);
}

/// "" if `user` has all of `wanted` in `ns`.
std::string escalation_text(const Policy& policy, const User& user, std::string_view ns,
                            const std::vector<Rule>& wanted) {
  const Granted granted = policy.granted(user, ns);
  const std::vector<Rule> missing = not_covered(granted.rules, wanted);
  if (missing.empty()) return {};
  std::string text = fmt::format(
      "user {} (groups={}) is attempting to grant RBAC permissions not currently held:\n{}",
      go_quoted(user.name), go_quoted(user.groups), text_of(missing));
  if (granted.missing.empty()) return text;
  std::vector<std::string> errors;
  for (const RoleRef& role : granted.missing)
    errors.push_back(
        fmt::format("{}.{} {} not found", resource_of(role.kind), kGroup, go_quoted(role.name)));
  return text + fmt::format("; resolution errors: [{}]", joined(errors));
}

bool is_aggregated(const Value& role) {
  return !role["aggregationRule"]["clusterRoleSelectors"].empty();
}

}  // namespace

Result<Done> check_role(const Policy& policy, const User& user, const Value& stored,
                        const Value& wanted, std::string_view url_name) {
  if (user.is_in(kMasters)) return Done{};
  const std::string ns(krm::namespace_of(wanted));
  const Request escalate{.verb = "escalate",
                         .group = std::string(kGroup),
                         .version = "*",
                         .resource = resource_of(wanted["kind"].as_string()),
                         .name = std::string(url_name),
                         .ns = ns};
  if (policy.authorize(user, escalate).allowed) return Done{};
  if (same_for_all_but_gc(stored, wanted)) return Done{};
  if (const std::string text = escalation_text(policy, user, ns, rules_of(wanted)); !text.empty())
    return forbidden(wanted, text);
  if (!is_aggregated(wanted) && !is_aggregated(stored)) return Done{};
  const std::vector<Rule> everything = {{{"*"}, {"*"}, {"*"}, {}, {}}, {{"*"}, {}, {}, {}, {"*"}}};
  if (escalation_text(policy, user, ns, everything).empty()) return Done{};
  return forbidden(wanted, "must have cluster-admin privileges to use the aggregationRule");
}

Result<Done> check_binding(const Policy& policy, const User& user, const Value& stored,
                           const Value& wanted) {
  if (user.is_in(kMasters) || same_for_all_but_gc(stored, wanted)) return Done{};
  const std::string ns(krm::namespace_of(wanted));
  const Value& ref = wanted["roleRef"];
  const RoleRef role{std::string(ref["apiGroup"].as_string()), std::string(ref["kind"].as_string()),
                     ns, std::string(ref["name"].as_string())};
  const Request bind{.verb = "bind",
                     .group = role.group,
                     .version = "*",
                     .resource = resource_of(role.kind),
                     .name = role.name,
                     .ns = ns};
  if (policy.authorize(user, bind).allowed) return Done{};
  const std::vector<Rule>* rules = policy.rules_of_role(role);
  if (rules == nullptr)
    return not_found("{}.{} {} not found", resource_of(role.kind), kGroup, go_quoted(role.name));
  if (const std::string text = escalation_text(policy, user, ns, *rules); !text.empty())
    return forbidden(wanted, text);
  return Done{};
}

}  // namespace portico::access
