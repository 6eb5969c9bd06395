#include "access/reconcile.h"

#include <algorithm>
#include <string>
#include <vector>

#include "access/rule.h"

namespace portico::access {

using json::Value;

namespace {

Value with_missing_metadata(Value object, const Value& builtin) {
  for (const char* field : {"labels", "annotations"})
    for (const json::Member& member : builtin["metadata"][field].members())
      if (object["metadata"][field][member.name()] != member.value)
        object = object.with_at({"metadata", field, std::string(member.name())}, member.value);
  return object;
}

Value with_missing_rules(const Value& object, const Value& builtin) {
  if (builtin["rules"].empty()) return object;
  Value rules = object["rules"].is_array() ? object["rules"] : Value::array();
  const std::vector<Rule> held = rules_of(object);
  for (const Value& rule : builtin["rules"].items()) {
    const std::vector<Rule> wanted = rules_of(Value::object({{"rules", Value::array({rule})}}));
    if (!not_covered(held, wanted).empty()) rules = rules.with_appended(rule);
  }
  return rules == object["rules"] ? object : object.with("rules", rules);
}

Value with_missing_subjects(Value object, const Value& builtin) {
  for (const Value& subject : builtin["subjects"].items()) {
    const auto items = object["subjects"].items();
    if (std::find(items.begin(), items.end(), subject) != items.end()) continue;
    const Value& all = object["subjects"];
    object = object.with("subjects",
                         all.is_array() ? all.with_appended(subject) : Value::array({subject}));
  }
  return object;
}

}  // namespace

std::optional<Reconciled> reconciled(const Value& builtin, const Value& stored) {
  if (stored["metadata"]["annotations"][kAutoUpdate].as_string() == "false") return std::nullopt;
  if (builtin["roleRef"] != stored["roleRef"]) return Reconciled{builtin, true};
  Value out = with_missing_metadata(stored, builtin);
  out = with_missing_subjects(with_missing_rules(out, builtin), builtin);
  if (out == stored) return std::nullopt;
  return Reconciled{std::move(out)};
}

}  // namespace portico::access
