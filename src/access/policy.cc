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

/// As listers name it: the kind in small letters.
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
    roles_[{std::string(ns), std::string(krm::name_of(object))}] =
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
  Scope& scope = scopes_[std::string(ns)];
  scope.bindings.emplace(shared->name, shared);
  for (const Subject& subject : shared->subjects) {
    if (subject.name.empty()) continue;
    Bindings& all = (subject.is_group ? scope.groups : scope.users)[subject.name];
    const auto at = std::lower_bound(all.begin(), all.end(), shared, by_name<Binding>);
    if (at == all.end() || *at != shared) all.insert(at, shared);
  }
}

void Policy::remove(std::string_view kind, std::string_view ns, std::string_view name) {
  if (is_cluster_kind(kind)) ns = "";
  if (is_role(kind))
    roles_.erase({std::string(ns), std::string(name)});
  else if (is_binding(kind))
    remove_binding(ns, name);
}

void Policy::remove_binding(std::string_view ns, std::string_view name) {
  const auto scope = scopes_.find(ns);
  if (scope == scopes_.end()) return;
  const auto found = scope->second.bindings.find(name);
  if (found == scope->second.bindings.end()) return;
  for (const Subject& subject : found->second->subjects) {
    Index& index = subject.is_group ? scope->second.groups : scope->second.users;
    const auto listed = index.find(subject.name);
    if (listed == index.end()) continue;
    std::erase(listed->second, found->second);
    if (listed->second.empty()) index.erase(listed);
  }
  scope->second.bindings.erase(found);
  if (scope->second.bindings.empty()) scopes_.erase(scope);
}

Policy::Bindings Policy::bindings_of(const User& user, std::string_view ns) const {
  Bindings found;
  const auto scope = scopes_.find(ns);
  if (scope == scopes_.end()) return found;
  const auto add = [&found](const Index& index, std::string_view subject) {
    const auto at = index.find(subject);
    if (at != index.end()) found.insert(found.end(), at->second.begin(), at->second.end());
  };
  add(scope->second.users, user.name);
  for (const std::string& group : user.groups) add(scope->second.groups, group);
  std::sort(found.begin(), found.end(), by_name<Binding>);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

const std::vector<Rule>* Policy::rules_of_role(const RoleRef& role) const {
  if (!is_role(role.kind)) return nullptr;
  const auto found = roles_.find({role.kind == "Role" ? role.ns : std::string(), role.name});
  // A Role of no namespace would be taken for a ClusterRole.
  if (found == roles_.end() || (role.kind == "Role" && role.ns.empty())) return nullptr;
  return found->second.get();
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
