#include "access/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/go_quoted.h"
#include "krm/meta.h"

namespace portico::access {
namespace {

using json::Value;

bool is_cluster_kind(std::string_view kind) {
  return kind == "ClusterRole" || kind == "ClusterRoleBinding";
}
bool is_binding(std::string_view kind) {
  return kind == "RoleBinding" || kind == "ClusterRoleBinding";
}
bool is_role(std::string_view kind) { return kind == "Role" || kind == "ClusterRole"; }

/// Kubernetes' listers name the kind in lower case.
std::string not_found_text(const RoleRef& role) {
  if (!is_role(role.kind))
    return fmt::format("unsupported role reference kind: {}", go_quoted(role.kind));
  return fmt::format("{}.{} {} not found", role.kind == "Role" ? "role" : "clusterrole", kGroup,
                     go_quoted(role.name));
}

template <class Binding>
bool by_name(const std::shared_ptr<const Binding>& a, const std::shared_ptr<const Binding>& b) {
  return a->name < b->name;
}

}  // namespace

std::string joined(const std::vector<std::string>& texts) {
  std::vector<std::string> once;
  for (const std::string& text : texts)
    if (std::find(once.begin(), once.end(), text) == once.end()) once.push_back(text);
  if (once.size() == 1) return once.front();
  return fmt::format("[{}]", fmt::join(once, ", "));
}

std::string missing_text(const std::vector<RoleRef>& roles) {
  std::vector<std::string> texts;
  for (const RoleRef& role : roles) texts.push_back(not_found_text(role));
  return joined(texts);
}

bool Policy::Subject::applies_to(const User& user) const {
  return is_group ? user.is_in(name) : name == user.name;
}

Policy::Subject Policy::subject_of(const Value& value, std::string_view binding_ns) {
  Subject subject;
  subject.kind = value["kind"].as_string();
  subject.name = subject.shown = value["name"].as_string();
  subject.is_group = subject.kind == "Group";
  if (subject.kind == "ServiceAccount") {
    const std::string_view own = value["namespace"].as_string();
    const std::string_view ns = own.empty() ? binding_ns : own;
    subject.shown = fmt::format("{}/{}", subject.name, ns);
    subject.name = ns.empty() ? "" : service_account_user(ns, subject.name);
  } else if (!subject.is_group && subject.kind != "User") {
    subject.name.clear();
  }
  return subject;
}

void Policy::put(const Value& object) {
  const std::string_view kind = object["kind"].as_string();
  if (krm::group_version(object["apiVersion"].as_string()).group != kGroup) return;
  const std::string_view ns = is_cluster_kind(kind) ? "" : krm::namespace_of(object);
  if (is_role(kind))
    *roles_.edit(Place(ns, krm::name_of(object))).first =
        std::make_shared<const Rules>(rules_of(object));
  else if (is_binding(kind))
    put_binding(object, ns);
}

void Policy::put_binding(const Value& object, std::string_view ns) {
  Binding binding;
  binding.ns = ns;
  binding.name = krm::name_of(object);
  const Value& ref = object["roleRef"];
  binding.role = {std::string(ref["apiGroup"].as_string()), std::string(ref["kind"].as_string()),
                  ref["kind"].as_string() == "Role" ? std::string(ns) : std::string(),
                  std::string(ref["name"].as_string())};
  for (const Value& subject : object["subjects"].items())
    binding.subjects.push_back(subject_of(subject, ns));

  remove_binding(ns, binding.name);
  const auto shared = std::make_shared<const Binding>(std::move(binding));
  Scope& scope = *scopes_.edit(std::string(ns)).first;
  *scope.bindings.edit(shared->name).first = shared;
  for (const Subject& subject : shared->subjects) {
    if (subject.name.empty()) continue;
    Bindings& all = *(subject.is_group ? scope.groups : scope.users).edit(subject.name).first;
    const auto at = std::lower_bound(all.begin(), all.end(), shared, by_name<Binding>);
    if (at == all.end() || *at != shared) all.insert(at, shared);
  }
}

void Policy::remove(std::string_view kind, std::string_view ns, std::string_view name) {
  if (is_cluster_kind(kind)) ns = "";
  if (is_role(kind))
    roles_.erase(Place(ns, name));
  else if (is_binding(kind))
    remove_binding(ns, name);
}

void Policy::remove_binding(std::string_view ns, std::string_view name) {
  const Scope* const known = scopes_.find(ns);
  const auto* const listed = known != nullptr ? known->bindings.find(name) : nullptr;
  if (listed == nullptr) return;
  const std::shared_ptr<const Binding> binding = *listed;
  Scope& scope = *scopes_.edit(std::string(ns)).first;
  for (const Subject& subject : binding->subjects) {
    Index& index = subject.is_group ? scope.groups : scope.users;
    if (index.find(subject.name) == nullptr) continue;
    Bindings& all = *index.edit(subject.name).first;
    std::erase(all, binding);
    if (all.empty()) index.erase(subject.name);
  }
  scope.bindings.erase(name);
  if (scope.bindings.empty()) scopes_.erase(ns);
}

Policy::Bindings Policy::bindings_of(const User& user, std::string_view ns) const {
  Bindings found;
  const Scope* const scope = scopes_.find(ns);
  if (scope == nullptr) return found;
  const auto add = [&found](const Index& index, std::string_view subject) {
    if (const Bindings* const its = index.find(subject))
      found.insert(found.end(), its->begin(), its->end());
  };
  add(scope->users, user.name);
  for (const std::string& group : user.groups) add(scope->groups, group);
  std::sort(found.begin(), found.end(), by_name<Binding>);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

const std::vector<Rule>* Policy::rules_of_role(const RoleRef& role) const {
  if (!is_role(role.kind)) return nullptr;
  const auto* const found =
      roles_.find(Place(role.kind == "Role" ? role.ns : std::string(), role.name));
  // A Role without a namespace would match a ClusterRole.
  if (found == nullptr || (role.kind == "Role" && role.ns.empty())) return nullptr;
  return found->get();
}

std::string Policy::reason(const Binding& binding, const User& user) {
  const auto subject = std::find_if(binding.subjects.begin(), binding.subjects.end(),
                                    [&user](const Subject& one) { return one.applies_to(user); });
  const std::string place = binding.ns.empty() ? binding.name : binding.name + "/" + binding.ns;
  return fmt::format("RBAC: allowed by {} {} of {} {} to {} {}",
                     binding.ns.empty() ? "ClusterRoleBinding" : "RoleBinding", go_quoted(place),
                     binding.role.kind, go_quoted(binding.role.name), subject->kind,
                     go_quoted(subject->shown));
}

Verdict Policy::authorize(const User& user, const Request& request) const {
  if (user.is_in(kMasters)) return {.allowed = true};
  std::vector<RoleRef> missing;
  const auto look_in = [&](std::string_view ns) -> std::optional<Verdict> {
    for (const auto& binding : bindings_of(user, ns)) {
      const Rules* rules = rules_of_role(binding->role);
      if (rules == nullptr) {
        missing.push_back(binding->role);
        continue;
      }
      for (const Rule& rule : *rules)
        if (allows(rule, request))
          return Verdict{.allowed = true, .reason = reason(*binding, user)};
    }
    return std::nullopt;
  };
  if (auto allowed = look_in("")) return *allowed;
  if (!request.ns.empty())
    if (auto allowed = look_in(request.ns)) return *allowed;
  if (missing.empty()) return {};
  return {.allowed = false, .reason = "RBAC: " + missing_text(missing)};
}

Granted Policy::granted(const User& user, std::string_view ns) const {
  Granted out;
  const auto look_in = [&](std::string_view scope) {
    for (const auto& binding : bindings_of(user, scope)) {
      if (const Rules* rules = rules_of_role(binding->role))
        out.rules.insert(out.rules.end(), rules->begin(), rules->end());
      else
        out.missing.push_back(binding->role);
    }
  };
  look_in("");
  if (!ns.empty()) look_in(ns);
  return out;
}

}  // namespace portico::access
