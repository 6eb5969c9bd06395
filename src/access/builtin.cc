#include "access/builtin.h"

#include <string>

#include "access/reconcile.h"
#include "access/rule.h"

namespace portico::access {
namespace {

using json::Value;
using Texts = std::vector<std::string>;
using Rules = std::vector<Rule>;

Texts read_verbs() { return {"get", "list", "watch"}; }
Texts write_verbs() {
  return {"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"};
}

Rule on(Texts groups, Texts resources, Texts verbs) {
  return {std::move(verbs), std::move(groups), std::move(resources), {}, {}};
}
Rule on_paths(Texts paths, Texts verbs) { return {std::move(verbs), {}, {}, {}, std::move(paths)}; }

constexpr const char* kConfig = "config.porch.kpt.dev";
constexpr const char* kPorch = "porch.kpt.dev";

Texts config_kinds() {
  return {"functionconfigs", "packagevariants", "packagevariantsets", "repositories"};
}
Texts package_kinds() { return {"packagerevisionresources", "packagerevisions", "packages"}; }

Rules viewer() {
  Texts configs = config_kinds();
  configs.emplace_back("packagerevs");
  return {on({kConfig}, std::move(configs), read_verbs()),
          on({kPorch}, package_kinds(), read_verbs()),
          on({""}, {"configmaps", "namespaces"}, read_verbs()),
          on({"", "events.k8s.io"}, {"events"}, read_verbs())};
}

Rules with(Rules rules, const Rules& more) {
  rules.insert(rules.end(), more.begin(), more.end());
  return rules;
}

Rules editor() {
  return with(viewer(), {on({kConfig}, config_kinds(), write_verbs()),
                         on({kPorch}, package_kinds(), write_verbs()),
                         on({""}, {"configmaps"}, write_verbs())});
}

Rule approval() {
  return on({kPorch}, {"packagerevisions/approval"}, {"automate", "get", "patch", "update"});
}

Rules approver() { return with(viewer(), {approval()}); }

Rules admin() {
  return with(editor(),
              {approval(), on({kConfig}, {"*/status"}, {"get", "patch", "update"}),
               on({""}, {"namespaces", "secrets", "serviceaccounts"}, write_verbs()),
               on({""}, {"serviceaccounts/token"}, {"create"}),
               on({"rbac.authorization.k8s.io"},
                  {"clusterrolebindings", "clusterroles", "rolebindings", "roles"}, write_verbs()),
               on({"apiextensions.k8s.io"}, {"customresourcedefinitions"}, write_verbs()),
               on({"coordination.k8s.io"}, {"leases"}, write_verbs()),
               on({"authorization.k8s.io"}, {"localsubjectaccessreviews", "subjectaccessreviews"},
                  {"create"})});
}

Value object(const char* kind, const char* name) {
  return Value::object({{"apiVersion", "rbac.authorization.k8s.io/v1"}, {"kind", kind}})
      .with_at({"metadata", "name"}, name)
      .with_at({"metadata", "labels", "kubernetes.io/bootstrapping"}, "rbac-defaults")
      .with_at({"metadata", "annotations", kAutoUpdate}, "true");
}

Value role(const char* name, const Rules& rules) {
  std::vector<Value> values;
  for (const Rule& rule : rules) values.push_back(to_value(rule));
  return object("ClusterRole", name).with("rules", Value::array(std::move(values)));
}

Value binding(const char* name, const Texts& groups) {
  std::vector<Value> subjects;
  for (const std::string& group : groups)
    subjects.push_back(Value::object({{"apiGroup", kGroup}, {"kind", "Group"}, {"name", group}}));
  return object("ClusterRoleBinding", name)
      .with("roleRef",
            Value::object({{"apiGroup", kGroup}, {"kind", "ClusterRole"}, {"name", name}}))
      .with("subjects", Value::array(std::move(subjects)));
}

}  // namespace

std::vector<Value> builtin_objects() {
  const Texts info = {"/healthz", "/livez", "/readyz", "/version", "/version/"};
  const Texts discovery = {"/api",     "/api/*",     "/apis",   "/apis/*",  "/healthz", "/livez",
                           "/openapi", "/openapi/*", "/readyz", "/version", "/version/"};
  return {
      role("cluster-admin", {on({"*"}, {"*"}, {"*"}), on_paths({"*"}, {"*"})}),
      role("portico:admin", admin()),
      role("portico:approver", approver()),
      role("portico:editor", editor()),
      role("portico:viewer", viewer()),
      role("system:basic-user",
           {on({"authorization.k8s.io"}, {"selfsubjectaccessreviews", "selfsubjectrulesreviews"},
               {"create"}),
            on({"authentication.k8s.io"}, {"selfsubjectreviews"}, {"create"})}),
      role("system:discovery", {on_paths(discovery, {"get"})}),
      role("system:public-info-viewer", {on_paths(info, {"get"})}),
      binding("cluster-admin", {std::string(kMasters)}),
      binding("system:basic-user", {"system:authenticated"}),
      binding("system:discovery", {"system:authenticated"}),
      binding("system:public-info-viewer", {"system:authenticated", "system:unauthenticated"}),
  };
}

}  // namespace portico::access
