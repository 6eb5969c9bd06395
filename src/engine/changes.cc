#include "engine/changes.h"

#include <algorithm>

#include "controllers/plan_wire.h"

namespace portico::engine {

using json::Value;

namespace {

std::string text(const Value& value) { return std::string(value.as_string()); }

Value json_of(const Error& error) {
  return Value::object({{"code", static_cast<int>(error.code)}, {"text", error.text()}});
}

Error error_of(const Value& value) {
  return {static_cast<Code>(std::clamp<std::int64_t>(value["code"].as_int(), 0,
                                                     static_cast<int>(Code::kInternal))),
          text(value["text"])};
}

}  // namespace

Value reference_to(const krm::ObjectKey& key) {
  return Value::object(
      {{"apiVersion", key.type.group.empty() ? std::string("v1") : key.type.group + "/v1"},
       {"kind", key.type.kind},
       {"metadata", Value::object({{"name", key.name}, {"namespace", key.ns}})}});
}

Value to_json(const Changes& changes) {
  std::vector<Value> apply, labels;
  for (const Wanted& each : changes.apply)
    apply.push_back(Value::object({{"source", each.source}, {"object", each.object}}));
  for (const auto& [key, label] : changes.labels)
    labels.push_back(Value::object({{"object", reference_to(key)}, {"label", label}}));
  Value out = Value::object({{"namespace", changes.ns},
                             {"apply", Value::array(std::move(apply))},
                             {"confirmDeletions", changes.confirm_deletions},
                             {"labels", Value::array(std::move(labels))},
                             {"delete", Value::array(changes.remove)}});
  if (!changes.upstream.empty())
    out = out.with("upstream", changes.upstream).with("to", changes.to);
  return out;
}

Result<Changes> changes_from_json(const Value& value) {
  Changes out;
  out.ns = text(value["namespace"]);
  for (const Value& each : value["apply"].items())
    out.apply.push_back({text(each["source"]), each["object"]});
  out.confirm_deletions = value["confirmDeletions"].as_bool();
  out.upstream = text(value["upstream"]);
  out.to = text(value["to"]);
  for (const Value& each : value["labels"].items())
    out.labels.emplace_back(krm::object_key(each["object"]), text(each["label"]));
  for (const Value& each : value["delete"].items()) out.remove.push_back(each);
  return out;
}

Value to_json(const Rehearsed& rehearsed) {
  std::vector<Value> done, refused, removed;
  for (const auto& [verb, object] : rehearsed.done)
    done.push_back(Value::object({{"verb", verb}, {"object", object}}));
  for (const Error& each : rehearsed.refused) refused.push_back(json_of(each));
  for (const auto& each : rehearsed.removed) removed.push_back(each ? json_of(*each) : Value());
  return Value::object({{"done", Value::array(std::move(done))},
                        {"refused", Value::array(std::move(refused))},
                        {"removed", Value::array(std::move(removed))},
                        {"plan", controllers::to_wire(rehearsed.plan)}});
}

Result<Rehearsed> rehearsed_from_json(const Value& value) {
  Rehearsed out;
  for (const Value& each : value["done"].items())
    out.done.emplace_back(text(each["verb"]), each["object"]);
  for (const Value& each : value["refused"].items()) out.refused.push_back(error_of(each));
  for (const Value& each : value["removed"].items())
    out.removed.push_back(each.is_null() ? std::nullopt : std::optional(error_of(each)));
  PORTICO_TRY(out.plan, controllers::plan_from_wire(value["plan"]), "plan");
  return out;
}

}  // namespace portico::engine
