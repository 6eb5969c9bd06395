// What a user may do: the roles and bindings of a store, indexed by subject. Pure.
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

/// What a binding gives; in `ns` ("" for the cluster) where it is a Role.
struct RoleRef {
  std::string group, kind, ns, name;
  bool operator==(const RoleRef&) const = default;
};

/// The rules that apply to a user somewhere, in the order in which they are looked at: cluster role
/// bindings by name, then role bindings by name, of each its role's rules.
struct Granted {
  std::vector<Rule> rules;
  std::vector<RoleRef> missing;  // bound, and not there
};

/// Role, RoleBinding, ClusterRole and ClusterRoleBinding of rbac.authorization.k8s.io as they are
/// stored. A change costs as much as what changed; a question as much as the bindings of the user
/// and of each of its groups. An aggregated ClusterRole counts with the rules that stand in it
/// (aggregate.h). A copy costs next to nothing and stays as it is while the original is changed.
/// Thread rule: as a std::map, each copy on its own.
class Policy {
 public:
  /// Puts the object in place of the one of its kind, namespace and name. Objects of other kinds
  /// are passed over.
  void put(const json::Value& object);
  /// Nothing there: nothing done.
  void remove(std::string_view kind, std::string_view ns, std::string_view name);

  /// As Kubernetes' RBAC authorizer, and true without a look at the rules for members of
  /// system:masters.
  Verdict authorize(const User& user, const Request& request) const;

  /// `ns` "": what applies in every namespace and to cluster-scoped resources.
  Granted granted(const User& user, std::string_view ns) const;

  /// The rules of a role, or nullptr where there is none. Valid until the next change.
  const std::vector<Rule>* rules_of_role(const RoleRef& role) const;

 private:
  struct Subject {
    std::string kind, shown;  // shown: as reasons name it, "robot/default" for a service account
    bool is_group = false;
    std::string name;  // of the group, or of the user
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

/// What Kubernetes says of roles that are bound and not there.
std::string missing_text(const std::vector<RoleRef>& roles);

/// "[a, b]" for several texts, the text for one; each text once, as Kubernetes joins errors.
std::string joined(const std::vector<std::string>& texts);

}  // namespace portico::access
