#include "functions/set_labels.h"

#include <bitset>
#include <map>
#include <tuple>

#include "functions/internal/config.h"
#include "functions/internal/fields.h"
#include "functions/internal/outcome.h"

namespace portico::functions {

namespace {

using Labels = std::map<std::string, std::string>;

/// The purpose of a place. Of the rows with one role, the first that matches an object applies.
/// That matters for objects without kind or apiVersion, which match every row.
enum class Role {
  kMeta,
  kPlainSelector,
  kSelector,
  kPods,
  kPod,
  kSpread,
  kJob,
  kJobSelector,
  kJobPod,
  kJobSpread,
  kVolume,
  kVolumeSelector,
  kIngress,
  kEgress,
  kCount
};

/// `labels` below each map at `base`. Empty names match anything.
struct Place {
  Role role;
  std::string_view group, version, kind;
  FieldPath base, labels;
  Missing missing;
};

const std::vector<Place>& places() {
  static const std::vector<Place> kPlaces = [] {
    const FieldPath meta{"metadata", "labels"}, match{"selector", "matchLabels"};
    const FieldPath spec_match{"spec", "selector", "matchLabels"};
    constexpr Missing kMake = Missing::kCreate, kLeave = Missing::kSkip;
    std::vector<Place> rows{
        {Role::kMeta, "", "", "", {}, meta, kMake},
        {Role::kPlainSelector, "", "v1", "Service", {}, {"spec", "selector"}, kMake},
        {Role::kPlainSelector, "", "v1", "ReplicationController", {}, {"spec", "selector"}, kMake},
        {Role::kSelector, "", "", "Deployment", {}, spec_match, kMake},
        {Role::kSelector, "", "", "ReplicaSet", {}, spec_match, kMake},
        {Role::kSelector, "", "", "DaemonSet", {}, spec_match, kMake},
        {Role::kSelector, "apps", "", "StatefulSet", {}, spec_match, kMake},
        {Role::kSelector, "batch", "", "Job", {}, spec_match, kLeave},
        {Role::kSelector, "policy", "", "PodDisruptionBudget", {}, spec_match, kLeave},
        {Role::kPods,
         "networking.k8s.io",
         "",
         "NetworkPolicy",
         {},
         {"spec", "podSelector", "matchLabels"},
         kLeave},
    };
    const auto add_pod = [&](std::string_view group, std::string_view version,
                             std::string_view kind, const FieldPath& pod) {
      FieldPath spread = pod;
      spread.insert(spread.end(), {"spec", "topologySpreadConstraints", "[]"});
      const bool job = kind == "CronJob";
      rows.push_back({job ? Role::kJobPod : Role::kPod, group, version, kind, pod, meta, kMake});
      rows.push_back({job ? Role::kJobSpread : Role::kSpread,
                      group,
                      version,
                      kind,
                      spread,
                      {"labelSelector", "matchLabels"},
                      kLeave});
    };
    const FieldPath pod{"spec", "template"};
    add_pod("", "v1", "ReplicationController", pod);
    add_pod("", "", "Deployment", pod);
    add_pod("", "", "ReplicaSet", pod);
    add_pod("", "", "DaemonSet", pod);
    add_pod("apps", "", "StatefulSet", pod);
    add_pod("batch", "", "Job", pod);
    rows.push_back({Role::kJob, "batch", "", "CronJob", {"spec", "jobTemplate"}, meta, kMake});
    rows.push_back({Role::kJobSelector,
                    "batch",
                    "",
                    "CronJob",
                    {"spec", "jobTemplate", "spec"},
                    match,
                    kLeave});
    add_pod("batch", "", "CronJob", {"spec", "jobTemplate", "spec", "template"});
    rows.push_back({Role::kVolume,
                    "apps",
                    "",
                    "StatefulSet",
                    {"spec", "volumeClaimTemplates", "[]"},
                    meta,
                    kMake});
    rows.push_back({Role::kVolumeSelector,
                    "apps",
                    "",
                    "StatefulSet",
                    {"spec", "volumeClaimTemplates", "[]"},
                    match,
                    kLeave});
    for (const auto& [role, rules, peers] :
         {std::tuple{Role::kIngress, "ingress", "from"}, std::tuple{Role::kEgress, "egress", "to"}})
      rows.push_back({role,
                      "networking.k8s.io",
                      "",
                      "NetworkPolicy",
                      {"spec", rules, "[]", peers, "[]"},
                      {"podSelector", "matchLabels"},
                      kLeave});
    return rows;
  }();
  return kPlaces;
}

json::Value with_labels(const json::Value& have, const Labels& labels, Missing missing) {
  if (!have.is_object() && !have.is_null()) return have;
  json::Value result = have;
  for (const auto& [key, text] : labels) {
    const json::Value* old = have.find(key);
    if (old == nullptr ? missing == Missing::kCreate : old->as_string() != text)
      result = result.with(key, text);
  }
  return result;
}

/// Counts each label at each visited place, as the catalog's function does.
json::Value labelled(const krm::Object& object, const Labels& labels, std::size_t& count) {
  json::Value value = object.value();
  std::bitset<static_cast<std::size_t>(Role::kCount)> taken;
  for (const Place& place : places()) {
    const auto role = static_cast<std::size_t>(place.role);
    if (taken[role] || !is_gvk(object, place.group, place.version, place.kind)) continue;
    taken.set(role);
    value = change_at(value, place.base, Missing::kSkip, [&](const json::Value& at) {
      if (!at.is_object()) return at;
      count += labels.size();
      return change_at(at, place.labels, place.missing, [&](const json::Value& have) {
        return with_labels(have, labels, place.missing);
      });
    });
  }
  return value;
}

std::string go_type(const json::Value& value) {
  if (value.is_array()) return "array";
  if (value.is_object()) return "object";
  if (value.is_string()) return "string";
  return value.is_bool() ? "bool" : "number";
}

/// The labels from the config, or an error.
Result<Labels> read_config(const krm::Object& config) {
  if (config.kind() == "ConfigMap" && config.api_version() == "v1") return texts(config, "data");
  if (!is_fn_config(config, "SetLabels")) {
    return invalid(
        "unknown FunctionConfig `{}.{}`, expect `SetLabels.fn.kpt.dev` or `ConfigMap.v1`",
        config.kind(), group_of(config).empty() ? config.api_version() : group_of(config));
  }
  const json::Value& labels = config.value()["labels"];
  constexpr std::string_view kCannot =
      "unable to convert object to *setlabels.SetLabels with error: json: cannot unmarshal {} into "
      "Go struct field SetLabels.labels of type {}";
  if (!labels.is_null() && !labels.is_object())
    return invalid(kCannot, go_type(labels), "map[string]string");
  for (const json::Member& member : labels.members())
    if (!member.value.is_string() && !member.value.is_null())
      return invalid(kCannot, go_type(member.value), "string");
  return texts(config, "labels");
}

}  // namespace

Outcome set_labels(krm::ResourceList list) {
  Labels labels;
  if (!is_not_given(list.function_config)) {
    auto read = read_config(*list.function_config);
    if (!read) return fail(std::move(list), read.error().what);
    labels = *std::move(read);
  }
  std::vector<krm::Item*> items;
  for (krm::Item& item : list.items)
    if (!is_local_config(item.object)) items.push_back(&item);
  if (items.empty()) {
    list.results.push_back(info("no input resources"));
    return done(std::move(list));
  }
  if (is_not_given(list.function_config))
    return fail(std::move(list), "`FunctionConfig` is not given", "info");
  if (labels.empty()) {
    list.results.push_back(info("no `labels` arguments are given in FunctionConfig"));
    list.results.back().severity = "warning";
    return done(std::move(list));
  }

  std::size_t count = 0;
  for (krm::Item* item : items) {
    const json::Value value = labelled(item->object, labels, count);
    if (value.same_as(item->object.value())) continue;
    if (auto updated = item->object.update(value); !updated)
      return fail(std::move(list), updated.error().text());
  }
  list.results.push_back(info(fmt::format("set {} labels in total", count)));
  return done(std::move(list));
}

}  // namespace portico::functions
