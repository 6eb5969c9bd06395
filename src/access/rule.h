// A rule of a role: matching, coverage and text form. Pure.
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

/// The list `rules` of a role; values that do not fit the schema count as empty.
std::vector<Rule> rules_of(const json::Value& role);
json::Value to_value(const Rule& rule);

/// Matches like Kubernetes: "*" for any verb, group, resource or path; "*/scale" for that
/// subresource of any resource; a resource does not include its subresources; "/x/*" for paths that
/// begin with "/x/"; a rule with names allows only requests that name one of them.
bool allows(const Rule& rule, const Request& request);

/// The parts of `wanted`, one for each group, resource, verb and name, that no rule of `held`
/// covers, in the order of `wanted`. Empty if everything is covered.
std::vector<Rule> not_covered(const std::vector<Rule>& held, const std::vector<Rule>& wanted);

/// Kubernetes' list of missing rights: parts that differ only in their verb are merged; one rule
/// per line, sorted by text: {APIGroups:[""], Resources:["secrets"], Verbs:["get"]}.
std::string text_of(const std::vector<Rule>& parts);

}  // namespace portico::access
