#include <map>
#include <optional>

#include "json/patch.h"
#include "json/text.h"
#include "kinds/internal/facet_text.h"

namespace portico::kinds::internal {
namespace {

using json::Value;

// Facets of structs that are used in several kinds.
constexpr std::string_view kShared = R"({
"conditions": {
  "description": "Conditions of the object; see kubectl wait --for=condition=TYPE.",
  "items": {"properties": {
    "type": {"description": "Type of the condition."},
    "status": {"description": "True, False or Unknown."},
    "reason": {"description": "Machine-readable reason, in CamelCase."},
    "message": {"description": "Human-readable message."},
    "lastTransitionTime": {"description": "Last time the status changed."},
    "observedGeneration": {"description": "The metadata.generation that the condition was computed for."}}}},
"observedGeneration": {"description": "The metadata.generation that the status was computed for."},
"retry": {
  "description": "Consecutive failures and the time of the next try. Not updated at every failure.",
  "properties": {
    "failures": {"description": "Number of consecutive failures when this was written."},
    "since": {"description": "Time of the first of these failures."},
    "next": {"description": "Time of the next try when this was written."}}},
"upstream": {
  "required": ["repo", "package"],
  "properties": {
    "repo": {"description": "Name of the Repository."},
    "package": {"description": "Path of the package below the directory of the repository."},
    "revision": {"description": "Published revision: 3 or v3."},
    "workspaceName": {"description": "In place of revision: the revision with this workspace name, or the head of the branch of this name."},
    "tag": {"description": "In place of revision: the revision that this tag points to; followed when the tag moves."},
    "constraint": {"description": "In place of revision: the highest published semantic version that matches, such as ^2.1 or >=1.4 <2."}}},
"approval": {
  "description": "Which steps of the lifecycle are taken automatically.",
  "properties": {
    "propose": {"$like": "rule", "description": "When drafts are proposed."},
    "approve": {"$like": "rule", "description": "When proposed revisions are approved. Writers of this field need the permission automate on packagerevisions/approval."}}},
"rule": {
  "properties": {
    "policy": {"description": "never, initial (only the first revision), always, or unedited (if no user changed the built package). Default: never."},
    "after": {"description": "How long to wait first: 90s, 10m, 1h30m."},
    "conditions": {"description": "Types of the conditions of the package revision that must be True."}}},
"adoptionPolicy": {
  "description": "Whether an existing package is adopted. Default: adoptNone."},
"deletionPolicy": {
  "description": "What happens to the package when the variant is deleted. Default: delete."},
"upgradeStrategy": {
  "description": "Merge strategy of upgrades. Default: resource-merge.",
  "enum": ["", "resource-merge", "fast-forward", "force-delete-replace", "copy-merge"]},
"onConflict": {
  "description": "Which value wins if both sides changed a field. Default: takeUpstream.",
  "enum": ["", "takeUpstream", "keepLocal", "fail"]},
"labels": {"description": "Labels of the package revisions."},
"annotations": {"description": "Annotations of the package revisions."},
"packageContext": {
  "description": "Changes to the data of the package context, the ConfigMap kptfile.kpt.dev.",
  "properties": {
    "data": {"description": "Keys to set."},
    "removeKeys": {"description": "Keys to remove."}}},
"injector": {
  "properties": {
    "group": {"description": "API group of the object. Absent: any; empty: the core group."},
    "version": {"description": "API version of the object. Default: any."},
    "kind": {"description": "Kind of the object. Default: any."},
    "name": {"description": "Name of the object, in the namespace of the variant."}}},
"pipeline": {
  "description": "Functions that are added in front of the pipeline of the package.",
  "properties": {
    "mutators": {"description": "Functions that change resources, in order.", "items": {"$like": "function"}},
    "validators": {"description": "Functions that validate resources, run after all mutators.", "items": {"$like": "function"}}}},
"function": {
  "properties": {
    "image": {"description": "Image of the function."},
    "tag": {"description": "Version of the image, or a constraint on it."},
    "exec": {"description": "In place of image: program to run."},
    "name": {"description": "Name of the function in the pipeline."},
    "configPath": {"description": "File of the package that holds the functionConfig."},
    "configMap": {"description": "In place of configPath: data of a ConfigMap that is used as functionConfig."},
    "selectors": {"description": "Resources that the function receives. Default: all.", "items": {"$like": "selector"}},
    "exclude": {"description": "Resources that the function does not receive.", "items": {"$like": "selector"}}}},
"selector": {
  "properties": {
    "apiVersion": {"description": "API group and version of the resource. Default: any."},
    "kind": {"description": "Kind of the resource. Default: any."},
    "name": {"description": "Name of the resource. Default: any."},
    "namespace": {"description": "Namespace of the resource. Default: any."},
    "labels": {"description": "Labels that the resource must have."},
    "annotations": {"description": "Annotations that the resource must have."}}},
"labelSelector": {
  "properties": {
    "matchLabels": {"description": "Labels that must have these values."},
    "matchExpressions": {
      "description": "Requirements on labels; all must be met.",
      "items": {"properties": {
        "key": {"description": "Label key."},
        "operator": {"description": "In, NotIn, Exists or DoesNotExist."},
        "values": {"description": "Values for In and NotIn."}}}}}},
"packageNames": {
  "description": "Names of the downstream packages; each yields a variant. Default: the name of the upstream package."},
"expressions": {
  "items": {"properties": {
    "key": {"description": "The key."},
    "keyExpr": {"description": "CEL expression that is evaluated to the key."},
    "value": {"description": "The value."},
    "valueExpr": {"description": "CEL expression that is evaluated to the value."}}}},
"lock": {
  "properties": {
    "type": {"description": "Type of the location: git."},
    "git": {
      "description": "Location in git.",
      "properties": {
        "repo": {"description": "URL or path of the repository."},
        "directory": {"description": "Folder of the package."},
        "ref": {"description": "Branch or tag."},
        "commit": {"description": "Commit id."}}}}},
"revisionRef": {"properties": {"name": {"description": "Name of the PackageRevision."}}},
"oldPackage": {
  "description": "The package.",
  "type": "object",
  "properties": {
    "name": {"description": "Path of the package below the directory of the repository.", "type": "string"},
    "repo": {"description": "Name of the Repository.", "type": "string"}}},
"tags": {"description": "Image tags to which it applies. Default: all."}
})";

using Shared = std::map<std::string, Value, std::less<>>;

// nullopt if any referenced name is unknown.
std::optional<Value> resolved(const Value& value, const Shared& shared) {
  if (value.is_array()) {
    std::vector<Value> items;
    for (const Value& each : value.items()) {
      auto item = resolved(each, shared);
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
    }
    return Value::array(std::move(items));
  }
  if (!value.is_object()) return value;
  Value out = Value::object();
  if (const std::string_view name = value["$like"].as_string(); !name.empty()) {
    const auto found = shared.find(name);
    if (found == shared.end()) return std::nullopt;
    auto base = resolved(found->second, shared);
    if (!base) return std::nullopt;
    out = std::move(*base);
  }
  for (const json::Member& member : value.members()) {
    if (member.key.as_string() == "$like") continue;
    auto own = resolved(member.value, shared);
    if (!own) return std::nullopt;
    out = json::with_merge_patch(
        out, Value::object({{std::string(member.key.as_string()), std::move(*own)}}));
  }
  return out;
}

const Shared& all_shared() {
  static const Shared kAll = [] {
    Shared out;
    if (const auto parsed = json::parse(kShared))
      for (const json::Member& member : parsed->members())
        out.emplace(member.key.as_string(), member.value);
    return out;
  }();
  return kAll;
}

}  // namespace

Value facets_from(std::string_view text) {
  const auto value = json::parse(text);
  if (!value) return {};
  return resolved(*value, all_shared()).value_or(Value());
}

}  // namespace portico::kinds::internal
