// Authorization: the roles and bindings of a store, indexed by subject. Pure.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/request.h"
#include "access/rule.h"
#include "base/persistent_map.h"
#include "base/result.h"
#include "json/value.h"

namespace portico::access {

/// The role that a binding refers to; `ns` is used only for a Role.
struct RoleRef {
  std::string group, kind, ns, name;
  bool operator==(const RoleRef&) const = default;
};

/// The rules that apply to a user in one scope, in evaluation order: cluster role bindings by name,
/// then role bindings by name, with the rules of each one's role.
struct Granted {
  std::vector<Rule> rules;
  std::vector<RoleRef> missing;  // bound roles that do not exist
};

/// Role, RoleBinding, ClusterRole and ClusterRoleBinding of rbac.authorization.k8s.io, as stored.
/// The cost of a change is proportional to the change; that of a query, to the bindings of the user
/// and its groups. An aggregated ClusterRole counts with the rules stored in it (aggregate.h).
/// Copies are very cheap, and do not change with the original. Thread rule: like std::map, for each
/// copy separately.
class Policy {
 public:
  /// Adds the object, or replaces the one of the same kind, namespace and name. Objects of other
  /// kinds are ignored.
  void put(const json::Value& object);
  /// A no-op if there is no such object.
  void remove(std::string_view kind, std::string_view ns, std::string_view name);

  /// Like Kubernetes' RBAC authorizer; always allowed for members of system:masters.
  Verdict authorize(const User& user, const Request& request) const;

  /// `ns` "": only what applies in every namespace and to cluster-scoped resources.
  Granted granted(const User& user, std::string_view ns) const;

  /// The rules of a role, or nullptr if it does not exist. Valid until the next change.
  const std::vector<Rule>* rules_of_role(const RoleRef& role) const;

 private:
  struct Subject {
    std::string kind, shown;  // shown: the name in reasons, "robot/default" for a service account
    bool is_group = false;
    std::string name;  // of the group or user
    bool applies_to(const User& user) const;
  };
  struct Binding {
    std::string ns, name;
    RoleRef role;
    std::vector<Subject> subjects;
  };
  using Rules = std::vector<Rule>;
  using Place = std::pair<std::string, std::string>;             // namespace and name
  using Bindings = std::vector<std::shared_ptr<const Binding>>;  // by name
  using Index = PersistentMap<std::string, Bindings>;
  struct Scope {
    PersistentMap<std::string, std::shared_ptr<const Binding>> bindings;
    Index users, groups;
  };

  static Subject subject_of(const json::Value& subject, std::string_view binding_ns);
  static std::string reason(const Binding& binding, const User& user);
  void put_binding(const json::Value& object, std::string_view ns);
  void remove_binding(std::string_view ns, std::string_view name);
  Bindings bindings_of(const User& user, std::string_view ns) const;

  PersistentMap<Place, std::shared_ptr<const Rules>> roles_;  // namespace "": cluster roles
  PersistentMap<std::string, Scope> scopes_;                  // by namespace; "": the cluster
};

/// Kubernetes' message for bound roles that do not exist.
std::string missing_text(const std::vector<RoleRef>& roles);

/// "[a, b]" for several texts, the text itself for one; without duplicates, as Kubernetes joins
/// errors.
std::string joined(const std::vector<std::string>& texts);

}  // namespace portico::access
