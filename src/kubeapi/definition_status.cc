#include <algorithm>
#include <set>

#include "krm/meta.h"
#include "kubeapi/definition_rules.h"
#include "schema/causes.h"

namespace portico::kubeapi {

using json::Value;

namespace {

const Value& condition_of(const Value& definition, std::string_view type) {
  static const Value kNone(nullptr);
  for (const Value& one : definition["status"]["conditions"].items())
    if (one["type"].as_string() == type) return one;
  return kNone;
}

// The names accepted for other definitions of the group.
struct Taken {
  std::set<std::string, std::less<>> resources, kinds;
};

Taken taken_by(const std::vector<Value>& others, std::string_view name) {
  Taken out;
  for (const Value& other : others) {
    if (krm::name_of(other) == name) continue;
    const Value& names = other["status"]["acceptedNames"];
    for (const char* field : {"plural", "singular"})
      if (const std::string_view text = names[field].as_string(); !text.empty())
        out.resources.emplace(text);
    for (const Value& text : names["shortNames"].items()) out.resources.emplace(text.as_string());
    for (const char* field : {"kind", "listKind"})
      if (const std::string_view text = names[field].as_string(); !text.empty())
        out.kinds.emplace(text);
  }
  return out;
}

struct Conflict {
  std::string reason, message;  // empty: no conflict
};

std::string in_use(std::string_view text) {
  return fmt::format("{} is already in use", schema::go_quoted(text));
}

// Reports the last conflict, as in Kubernetes, where each overwrites the previous one.
Conflict conflict_of(const Value& names, const Taken& taken) {
  Conflict out;
  const auto check = [&](const char* field, const char* reason,
                         const std::set<std::string, std::less<>>& used) {
    if (const std::string_view text = names[field].as_string(); used.contains(text))
      out = {reason, in_use(text)};
  };
  check("plural", "PluralConflict", taken.resources);
  check("singular", "SingularConflict", taken.resources);
  for (const Value& text : names["shortNames"].items())
    if (taken.resources.contains(text.as_string()))
      out = {"ShortNamesConflict", in_use(text.as_string())};
  check("kind", "KindConflict", taken.kinds);
  check("listKind", "ListKindConflict", taken.kinds);
  return out;
}

}  // namespace

bool is_established(const Value& definition) {
  const Value& condition = condition_of(definition, "Established");
  return condition.is_null() || condition["status"].as_string() == "True";
}

Value with_condition(const Value& definition, std::string_view type, std::string_view status,
                     std::string_view reason, std::string_view message, std::string_view now) {
  const Value& before = condition_of(definition, type);
  const bool same = before["status"].as_string() == status;
  Value one = Value::object({{"type", type},
                             {"status", status},
                             {"reason", reason},
                             {"message", message},
                             {"lastTransitionTime", now}});
  if (same) one = one.with("lastTransitionTime", before["lastTransitionTime"]);
  std::vector<Value> all;
  bool replaced = false;
  for (const Value& each : definition["status"]["conditions"].items()) {
    const bool is_it = each["type"].as_string() == type;
    all.push_back(is_it ? one : each);
    replaced |= is_it;
  }
  if (!replaced) all.push_back(std::move(one));
  return definition.with_at({"status", "conditions"}, Value::array(std::move(all)));
}

Value with_accepted_names(const Value& definition, const std::vector<Value>& others,
                          std::string_view now) {
  const Value& names = definition["spec"]["names"];
  const Conflict conflict = conflict_of(names, taken_by(others, krm::name_of(definition)));
  if (!conflict.reason.empty()) {
    Value out = with_condition(definition, "NamesAccepted", "False", conflict.reason,
                               conflict.message, now);
    if (is_established(definition) && !condition_of(definition, "Established").is_null())
      return out;  // once established, it stays established
    return with_condition(out, "Established", "False", "NotAccepted", "not all names are accepted",
                          now);
  }
  Value out = definition.with_at({"status", "acceptedNames"}, names);
  out = with_condition(out, "NamesAccepted", "True", "NoConflicts", "no conflicts found", now);
  return with_condition(out, "Established", "True", "InitialNamesAccepted",
                        "the initial names have been accepted", now);
}

}  // namespace portico::kubeapi
