// One rule of a role: what it allows, what it covers, and its text. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "access/request.h"
#include "json/value.h"

namespace portico::access {

/// PolicyRule of rbac.authorization.k8s.io/v1. Lists keep their order.
struct Rule {
  std::vector<std::string> verbs, groups, resources, names, paths;
  bool operator==(const Rule&) const = default;
};

/// The list `rules` of a role; what has another shape than the schema says counts as empty.
std::vector<Rule> rules_of(const json::Value& role);
json::Value to_value(const Rule& rule);

/// As Kubernetes matches: "*" for any verb, group, resource or path; "*/scale" for that subresource
/// of any resource; a resource without its subresource is only itself; "/x/*" for what begins with
/// "/x/"; a rule with names allows requests that name one of them.
bool allows(const Rule& rule, const Request& request);

/// The parts of `wanted`, one for each group, resource, verb and name, that no rule of `held`
/// covers. Empty where all is covered. In the order of `wanted`.
std::vector<Rule> not_covered(const std::vector<Rule>& held, const std::vector<Rule>& wanted);

/// As Kubernetes lists missing rights: parts that differ in their verb only are one rule; one line
/// a rule, in order of the text: {APIGroups:[""], Resources:["secrets"], Verbs:["get"]}.
std::string text_of(const std::vector<Rule>& parts);

}  // namespace portico::access
