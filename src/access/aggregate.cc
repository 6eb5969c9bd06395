#include "access/aggregate.h"

#include <algorithm>

#include "access/rule.h"
#include "krm/meta.h"

namespace portico::access {

using json::Value;

std::optional<Value> aggregated(const Value& role, const std::vector<Value>& cluster_roles) {
  if (!role["aggregationRule"].is_object()) return std::nullopt;
  std::vector<const Value*> others;
  for (const Value& other : cluster_roles)
    if (krm::name_of(other) != krm::name_of(role)) others.push_back(&other);
  std::sort(others.begin(), others.end(),
            [](const Value* a, const Value* b) { return krm::name_of(*a) < krm::name_of(*b); });

  std::vector<Rule> rules;
  for (const Value& text : role["aggregationRule"]["clusterRoleSelectors"].items()) {
    const auto selector = krm::LabelSelector::decode(text);
    if (!selector) return std::nullopt;
    for (const Value* other : others) {
      if (!selector->matches_object(*other)) continue;
      for (Rule& rule : rules_of(*other))
        if (std::find(rules.begin(), rules.end(), rule) == rules.end())
          rules.push_back(std::move(rule));
    }
  }
  if (rules == rules_of(role)) return std::nullopt;
  std::vector<Value> values;
  for (const Rule& rule : rules) values.push_back(to_value(rule));
  return role.with("rules", Value::array(std::move(values)));
}

}  // namespace portico::access
