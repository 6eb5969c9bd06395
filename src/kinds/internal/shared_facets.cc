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
  "description": "What is so, with the reason; kubectl wait --for=condition=TYPE waits for one.",
  "items": {"properties": {
    "type": {"description": "What is said to be so, or not to be."},
    "status": {"description": "True, False or Unknown."},
    "reason": {"description": "One word for programs."},
    "message": {"description": "The same for people."},
    "lastTransitionTime": {"description": "When the status changed last."},
    "observedGeneration": {"description": "Of which metadata.generation it is said."}}}},
"observedGeneration": {"description": "The metadata.generation that this status is about."},
"retry": {
  "description": "Failures in a row, and when the next try is due; written rarely.",
  "properties": {
    "failures": {"description": "How many there were when this was written."},
    "since": {"description": "When the first of them was."},
    "next": {"description": "When the next try was due then."}}},
"upstream": {
  "required": ["repo", "package"],
  "properties": {
    "repo": {"description": "Name of the Repository."},
    "package": {"description": "Path of the package below the repository's directory."},
    "revision": {"description": "One published revision: 3 or v3."},
    "workspaceName": {"description": "In place of a number: the revision of that workspace, or the head of the branch of that name."},
    "tag": {"description": "In place of a number: what a tag points to, followed as it moves."},
    "constraint": {"description": "In place of a number: the highest published semantic version that matches: ^2.1, >=1.4 <2."}}},
"approval": {
  "description": "Which steps to publication are taken without a person.",
  "properties": {
    "propose": {"$like": "rule", "description": "When a draft is proposed."},
    "approve": {"$like": "rule", "description": "When a proposal is approved; who writes this needs the right to automate packagerevisions/approval."}}},
"rule": {
  "properties": {
    "policy": {"description": "never; initial: the first revision; always; unedited: where nobody changed what was built. Empty: never."},
    "after": {"description": "How long it rests first: 90s, 10m, 1h30m."},
    "conditions": {"description": "Types of conditions of the package revision that must be True."}}},
"adoptionPolicy": {
  "description": "Whether a package that is there is taken over; empty: adoptNone."},
"deletionPolicy": {
  "description": "What becomes of the package when the variant is deleted; empty: delete."},
"upgradeStrategy": {
  "description": "How a new upstream revision is taken in; empty: resource-merge.",
  "enum": ["", "resource-merge", "fast-forward", "force-delete-replace", "copy-merge"]},
"onConflict": {
  "description": "What is taken where both sides changed a field; empty: takeUpstream.",
  "enum": ["", "takeUpstream", "keepLocal", "fail"]},
"labels": {"description": "Labels of the package revisions."},
"annotations": {"description": "Annotations of the package revisions."},
"packageContext": {
  "description": "Data of the ConfigMap kptfile.kpt.dev in the package.",
  "properties": {
    "data": {"description": "Keys that are set."},
    "removeKeys": {"description": "Keys that are taken out."}}},
"injector": {
  "properties": {
    "group": {"description": "API group of the object; without it: any, empty: the core group."},
    "version": {"description": "Version of the object; without it: any."},
    "kind": {"description": "Kind of the object; without it: any."},
    "name": {"description": "Name of the object, in the variant's namespace."}}},
"pipeline": {
  "description": "Functions that are added to the package's own.",
  "properties": {
    "mutators": {"description": "Functions that change resources, in their order.", "items": {"$like": "function"}},
    "validators": {"description": "Functions that check resources, after all mutators.", "items": {"$like": "function"}}}},
"function": {
  "properties": {
    "image": {"description": "The function: the name of its image."},
    "tag": {"description": "Version of the image, or a constraint on it."},
    "exec": {"description": "In place of an image: a program."},
    "name": {"description": "What the function is called in the pipeline."},
    "configPath": {"description": "File of the package that configures the function."},
    "configMap": {"description": "In place of a file: the data of a ConfigMap that configures it."},
    "selectors": {"description": "Resources that it sees; empty: all.", "items": {"$like": "selector"}},
    "exclude": {"description": "Resources that it does not see.", "items": {"$like": "selector"}}}},
"selector": {
  "properties": {
    "apiVersion": {"description": "Group and version of the resource; empty: any."},
    "kind": {"description": "Kind of the resource; empty: any."},
    "name": {"description": "Name of the resource; empty: any."},
    "namespace": {"description": "Namespace of the resource; empty: any."},
    "labels": {"description": "Labels that the resource must have."},
    "annotations": {"description": "Annotations that the resource must have."}}},
"labelSelector": {
  "properties": {
    "matchLabels": {"description": "Labels with these values."},
    "matchExpressions": {
      "description": "Conditions on labels, all of which must hold.",
      "items": {"properties": {
        "key": {"description": "The label."},
        "operator": {"description": "In, NotIn, Exists or DoesNotExist."},
        "values": {"description": "For In and NotIn."}}}}}},
"packageNames": {
  "description": "Names of the packages: one variant for each; empty: the upstream's."},
"expressions": {
  "items": {"properties": {
    "key": {"description": "The key."},
    "keyExpr": {"description": "In place of the key: a CEL expression."},
    "value": {"description": "The value."},
    "valueExpr": {"description": "In place of the value: a CEL expression."}}}},
"lock": {
  "properties": {
    "type": {"description": "git."},
    "git": {
      "description": "Where in git.",
      "properties": {
        "repo": {"description": "URL or path of the repository."},
        "directory": {"description": "Folder of the package."},
        "ref": {"description": "Branch or tag."},
        "commit": {"description": "The commit, in hexadecimal digits."}}}}},
"revisionRef": {"properties": {"name": {"description": "Name of the PackageRevision."}}},
"oldPackage": {
  "description": "The package.",
  "type": "object",
  "properties": {
    "name": {"description": "Its path below the repository's directory.", "type": "string"},
    "repo": {"description": "Name of its Repository.", "type": "string"}}},
"tags": {"description": "Versions of the image that it is for; empty: all."}
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
