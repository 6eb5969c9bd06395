#include "access/validate.h"

#include <fmt/format.h>

#include "access/internal/causes.h"
#include "access/request.h"
#include "base/go_quoted.h"
#include "json/text.h"
#include "krm/meta.h"

namespace portico::access {
namespace {

using internal::Causes;
using json::Value;

bool is_user_or_group(std::string_view kind) { return kind == "User" || kind == "Group"; }

/// Checks that the name can be a path segment.
void check_name(std::string_view name, const std::string& field, Causes& causes) {
  if (name == "." || name == "..")
    causes.invalid(field, go_quoted(name), fmt::format("may not be '{}'", name));
  for (const char c : {'/', '%'})
    if (name.find(c) != std::string_view::npos)
      causes.invalid(field, go_quoted(name), fmt::format("may not contain '{}'", c));
}

void check_rule(const Value& rule, bool in_namespace, const std::string& field, Causes& causes) {
  if (rule["verbs"].empty())
    causes.required(field + ".verbs", "verbs must contain at least one value");
  const Value& paths = rule["nonResourceURLs"];
  if (!paths.empty()) {
    const auto refuse = [&](std::string_view why) {
      causes.invalid(field + ".nonResourceURLs", json::print(paths), why);
    };
    if (in_namespace) refuse("namespaced rules cannot apply to non-resource URLs");
    if (!rule["apiGroups"].empty() || !rule["resources"].empty() || !rule["resourceNames"].empty())
      refuse("rules cannot apply to both regular resources and non-resource URLs");
    return;
  }
  if (rule["apiGroups"].empty())
    causes.required(field + ".apiGroups", "resource rules must supply at least one api group");
  if (rule["resources"].empty())
    causes.required(field + ".resources", "resource rules must supply at least one resource");
}

void check_aggregation(const Value& aggregation, Causes& causes) {
  if (!aggregation.is_object()) return;
  const std::string field = "aggregationRule.clusterRoleSelectors";
  const Value& selectors = aggregation["clusterRoleSelectors"];
  if (selectors.empty())
    causes.required(field,
                    "at least one clusterRoleSelector required if aggregationRule is non-nil");
  for (std::size_t i = 0; i < selectors.size(); ++i)
    if (!krm::LabelSelector::decode(selectors[i]))
      causes.invalid(fmt::format("{}[{}]", field, i), json::print(selectors[i]),
                     "invalid label selector.");
}

void check_subject(const Value& subject, bool in_namespace, const std::string& field,
                   Causes& causes) {
  const std::string_view name = subject["name"].as_string();
  const std::string_view kind = subject["kind"].as_string();
  const std::string_view group = subject["apiGroup"].as_string();
  if (name.empty()) causes.required(field + ".name", "");
  if (kind == "ServiceAccount") {
    if (!name.empty() && !krm::is_dns1123_subdomain(name))
      causes.invalid(field + ".name", go_quoted(name),
                     "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "
                     "characters, '-' or '.', and must start and end with an alphanumeric "
                     "character (e.g. 'example.com', regex used for validation is "
                     "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
    if (!group.empty()) causes.unsupported(field + ".apiGroup", group, {""});
    if (!in_namespace && subject["namespace"].as_string().empty())
      causes.required(field + ".namespace", "");
  } else if (is_user_or_group(kind)) {
    if (group != kGroup) causes.unsupported(field + ".apiGroup", group, {std::string(kGroup)});
  } else {
    causes.unsupported(field + ".kind", kind, {"ServiceAccount", "User", "Group"});
  }
}

void check_binding(const Value& binding, bool in_namespace, Causes& causes) {
  const Value& ref = binding["roleRef"];
  const std::string_view group = ref["apiGroup"].as_string(), kind = ref["kind"].as_string(),
                         name = ref["name"].as_string();
  if (group != kGroup) causes.unsupported("roleRef.apiGroup", group, {std::string(kGroup)});
  if (kind != "ClusterRole" && !(in_namespace && kind == "Role"))
    causes.unsupported("roleRef.kind", kind,
                       in_namespace ? std::vector<std::string>{"Role", "ClusterRole"}
                                    : std::vector<std::string>{"ClusterRole"});
  if (name.empty())
    causes.required("roleRef.name", "");
  else
    check_name(name, "roleRef.name", causes);
  const Value& subjects = binding["subjects"];
  for (std::size_t i = 0; i < subjects.size(); ++i)
    check_subject(subjects[i], in_namespace, fmt::format("subjects[{}]", i), causes);
}

/// As Go prints the struct, which has no JSON field names.
std::string role_ref_text(const Value& ref) {
  return fmt::format(R"({{"APIGroup":{},"Kind":{},"Name":{}}})",
                     go_quoted(ref["apiGroup"].as_string()), go_quoted(ref["kind"].as_string()),
                     go_quoted(ref["name"].as_string()));
}

}  // namespace

Value with_defaults(const Value& object) {
  const std::string_view kind = object["kind"].as_string();
  if (kind != "RoleBinding" && kind != "ClusterRoleBinding") return object;
  Value out = object;
  if (object["roleRef"].is_object() && object["roleRef"]["apiGroup"].as_string().empty())
    out = out.with_at({"roleRef", "apiGroup"}, kGroup);
  const Value& subjects = object["subjects"];
  std::vector<Value> filled;
  for (const Value& subject : subjects.items())
    filled.push_back(is_user_or_group(subject["kind"].as_string()) &&
                             subject["apiGroup"].as_string().empty()
                         ? subject.with("apiGroup", kGroup)
                         : subject);
  if (!filled.empty()) out = out.with("subjects", Value::array(std::move(filled)));
  return out;
}

Result<Done> validate(const Value& object, const Value& stored) {
  const std::string_view kind = object["kind"].as_string();
  const bool in_namespace = kind == "Role" || kind == "RoleBinding";
  Causes causes;
  check_name(krm::name_of(object), "metadata.name", causes);
  if (kind == "Role" || kind == "ClusterRole") {
    const Value& rules = object["rules"];
    for (std::size_t i = 0; i < rules.size(); ++i)
      check_rule(rules[i], in_namespace, fmt::format("rules[{}]", i), causes);
    if (!in_namespace) check_aggregation(object["aggregationRule"], causes);
  } else if (kind == "RoleBinding" || kind == "ClusterRoleBinding") {
    check_binding(object, in_namespace, causes);
    if (!stored.is_null() && stored["roleRef"] != object["roleRef"])
      causes.invalid("roleRef", role_ref_text(object["roleRef"]), "cannot change roleRef");
  }
  return std::move(causes).check(fmt::format("{}.{}", kind, kGroup), krm::name_of(object));
}

}  // namespace portico::access
