#include "kinds/internal/facets.h"

#include "kinds/internal/facet_text.h"

namespace portico::kinds::internal {
namespace {

using json::Value;

constexpr std::string_view kRepository = R"({
"description": "A git repository of packages that is registered.",
"properties": {
  "spec": {
    "description": "Where the packages are, and how they are used.",
    "properties": {
      "content": {
        "description": "Deprecated: every repository holds packages.",
        "default": "Package",
        "x-kubernetes-validations": [
          {"rule": "self == '' || self == 'Package'",
           "message": "The 'content' field is deprecated, its only valid value is 'Package'"}]},
      "deployment": {"description": "Whether its published packages are deployed."},
      "description": {"description": "For people."},
      "type": {"description": "What kind of repository it is: git."},
      "sync": {
        "description": "When the repository is read again.",
        "properties": {
          "runOnceAt": {"description": "Once, at this time.", "format": "date-time"},
          "schedule": {"description": "Again and again: minute, hour, day of month, month and day of week, as cron has them."}}},
      "git": {
        "description": "The git repository.",
        "required": ["repo"],
        "properties": {
          "repo": {"description": "URL or path."},
          "branch": {"description": "Where published packages go.",
                     "default": "main", "minLength": 1},
          "createBranch": {"description": "Whether a missing branch is made."},
          "directory": {"description": "Folder that packages are looked for in."},
          "drafts": {"description": "Where drafts go: push or local."},
          "author": {"description": "Who all commits are by; empty: who makes them."},
          "email": {"description": "The author's address."},
          "secretRef": {"description": "The Secret that authenticates.", "required": ["name"],
                        "properties": {"name": {"description": "Its name, in the Repository's namespace."}}}}},
      "oci": {
        "description": "Not supported: packages are in git.",
        "required": ["registry"],
        "properties": {
          "registry": {"description": "Address of the registry."},
          "secretRef": {"description": "The Secret that authenticates.", "required": ["name"],
                        "properties": {"name": {"description": "Its name."}}}}}}},
  "status": {
    "description": "What was found when it was read last.",
    "properties": {
      "lastFullSyncTime": {"description": "When it was read last.", "format": "date-time"},
      "nextFullSyncTime": {"description": "When it is read next.", "format": "date-time"},
      "observedRunOnceAt": {"description": "The spec.sync.runOnceAt that was done.",
                            "format": "date-time"},
      "packageCount": {"description": "How many packages were found."},
      "gitCommitHash": {"description": "The commit that its branch had."},
      "conditions": {"$like": "conditions"},
      "observedGeneration": {"$like": "observedGeneration"},
      "retry": {"$like": "retry"}}}}})";

constexpr std::string_view kVariant = R"({
"description": "A package that is kept up to date with another one, its upstream.",
"required": ["spec"],
"properties": {
  "spec": {
    "description": "The two packages, and what is changed on the way.",
    "required": ["upstream", "downstream"],
    "properties": {
      "upstream": {"$like": "upstream", "description": "The package that is followed."},
      "downstream": {"description": "The package that is made and kept.",
                     "required": ["repo", "package"],
                     "properties": {
                       "repo": {"description": "Name of the Repository."},
                       "package": {"description": "Path of the package below the repository's directory."}}},
      "adoptionPolicy": {"$like": "adoptionPolicy", "enum": ["", "adoptNone", "adoptExisting"]},
      "deletionPolicy": {"$like": "deletionPolicy", "enum": ["", "delete", "orphan"]},
      "upgradeStrategy": {"$like": "upgradeStrategy"},
      "onConflict": {"$like": "onConflict"},
      "labels": {"$like": "labels"},
      "annotations": {"$like": "annotations"},
      "packageContext": {"$like": "packageContext"},
      "pipeline": {"$like": "pipeline"},
      "approval": {"$like": "approval"},
      "injectors": {"description": "Objects whose spec is copied into the package.",
                    "items": {"$like": "injector", "required": ["name"]}}}},
  "status": {
    "description": "What was done last, and what is missing.",
    "properties": {
      "upstream": {
        "description": "The upstream as it was found.",
        "properties": {
          "packageRevision": {"description": "Name of the PackageRevision."},
          "revision": {"description": "Its number; -1: the head of a branch."},
          "commit": {"description": "Its commit."}}},
      "downstreamTargets": {
        "description": "The package revisions that the variant answers for.",
        "items": {"properties": {
          "name": {"description": "Name of the PackageRevision."},
          "lifecycle": {"description": "How far it is: Draft, Proposed, Published, DeletionProposed."},
          "revision": {"description": "Its number; 0: not published."},
          "renderStatus": {"description": "What the functions of the pipeline said."},
          "inputsHash": {"description": "Digest of what it was made from: where that is the same nothing is built again."},
          "since": {"description": "Since when a policy of approval waits."},
          "tree": {"description": "The content that it waits with: the id of its tree in git."}}}},
      "unchanged": {
        "description": "A revision that is no target, and was found to need no change.",
        "properties": {
          "name": {"description": "Name of the PackageRevision."},
          "tree": {"description": "Its content: the id of its tree in git."},
          "inputsHash": {"description": "Digest of the inputs that it was compared with."}}},
      "injected": {
        "description": "Objects that were injected, and those that are missing.",
        "items": {"properties": {
          "apiVersion": {"description": "Its group and version."},
          "kind": {"description": "Its kind."},
          "name": {"description": "Its name."},
          "uid": {"description": "Its uid; empty: it was not found."}}}},
      "mergeConflicts": {
        "description": "Fields that upstream and downstream had both changed.",
        "items": {"properties": {
          "path": {"description": "The file."},
          "object": {"description": "The resource in it."},
          "field": {"description": "Path of the field."},
          "base": {"description": "The value before, as JSON; empty: none. Long ones are cut."},
          "ours": {"description": "The downstream's value, as JSON."},
          "theirs": {"description": "The upstream's value, as JSON."},
          "taken": {"description": "ours or theirs."},
          "rule": {"description": "Why it is a conflict."}}}},
      "conditions": {"$like": "conditions"},
      "observedGeneration": {"$like": "observedGeneration"},
      "retry": {"$like": "retry"}}}}})";

constexpr std::string_view kVariantSet = R"({
"description": "One package for many targets: makes a PackageVariant for each of them.",
"required": ["spec"],
"properties": {
  "spec": {
    "description": "The package, where variants of it are wanted, and what they look like.",
    "required": ["upstream", "targets"],
    "properties": {
      "upstream": {"$like": "upstream", "description": "The package that all variants follow."},
      "deletionGuard": {"description": "Whether deletions of many variants wait for a yes.",
                        "enum": ["", "on", "off"]},
      "targets": {
        "description": "Where variants are wanted.",
        "items": {
          "properties": {
            "repositories": {"description": "Repositories by name.",
                             "items": {
                               "required": ["name"],
                               "properties": {
                                 "name": {"description": "Name of the Repository."},
                                 "packageNames": {"$like": "packageNames"}}}},
            "repositorySelector": {"$like": "labelSelector",
                                   "description": "Repositories by label.",
                                   "properties": {"packageNames": {"$like": "packageNames"}},
                                   "x-kubernetes-map-type": "atomic"},
            "objectSelector": {"$like": "labelSelector",
                               "description": "Any objects by label: one variant for each.",
                               "properties": {
                                 "apiVersion": {"description": "Group and version of the objects."},
                                 "kind": {"description": "Kind of the objects."},
                                 "name": {"description": "Name of one object; empty: any."},
                                 "packageNames": {"$like": "packageNames"}},
                               "x-kubernetes-map-type": "atomic"},
            "packageNames": {"$like": "packageNames"},
            "template": {
              "description": "What the variants look like.",
              "properties": {
                "downstream": {
                  "description": "The package that is made for a target, where it is not the target's.",
                  "properties": {
                    "repo": {"description": "Name of the Repository."},
                    "repoExpr": {"description": "In place of repo: a CEL expression."},
                    "package": {"description": "Path of the package."},
                    "packageExpr": {"description": "In place of package: a CEL expression."}}},
                "adoptionPolicy": {"$like": "adoptionPolicy", "enum": ["adoptNone", "adoptExisting"]},
                "deletionPolicy": {"$like": "deletionPolicy", "enum": ["delete", "orphan"]},
                "upgradeStrategy": {"$like": "upgradeStrategy"},
                "onConflict": {"$like": "onConflict"},
                "labels": {"$like": "labels"},
                "labelExprs": {"$like": "expressions",
                               "description": "More labels, by CEL expressions."},
                "annotations": {"$like": "annotations"},
                "annotationExprs": {"$like": "expressions",
                                    "description": "More annotations, by CEL expressions."},
                "packageContext": {
                  "$like": "packageContext",
                  "properties": {
                    "dataExprs": {"$like": "expressions",
                                  "description": "More keys that are set, by CEL expressions."},
                    "removeKeyExprs": {"description": "More keys that are taken out: CEL expressions."}}},
                "pipeline": {
                  "$like": "pipeline",
                  "properties": {
                    "mutators": {"items": {"properties": {
                      "configMapExprs": {"$like": "expressions",
                                         "description": "More of configMap, by CEL expressions."}}}},
                    "validators": {"items": {"properties": {
                      "configMapExprs": {"$like": "expressions",
                                         "description": "More of configMap, by CEL expressions."}}}}}},
                "approval": {"$like": "approval"},
                "injectors": {
                  "description": "Objects whose spec is copied into the package.",
                  "items": {"$like": "injector",
                            "properties": {
                              "nameExpr": {"description": "In place of name: a CEL expression."}}}}}}}}}}},
  "status": {
    "description": "How many variants there are, and how they are.",
    "properties": {
      "targets": {
        "description": "How many variants there are.",
        "properties": {
          "desired": {"description": "How many there should be."},
          "ready": {"description": "Those that are Ready."},
          "waiting": {"description": "Those that are not done yet."},
          "failed": {"description": "Those that fail."}}},
      "failures": {
        "description": "The first 20 of those that fail.",
        "items": {"properties": {
          "repo": {"description": "The Repository of the variant's package."},
          "package": {"description": "The variant's package."},
          "message": {"description": "Why it fails."}}}},
      "conditions": {"$like": "conditions"},
      "observedGeneration": {"$like": "observedGeneration"},
      "retry": {"$like": "retry"}}}}})";

constexpr std::string_view kFunctionConfig = R"({
"description": "What runs the functions of one image.",
"properties": {
  "status": {"description": "Porch's; not read."},
  "spec": {
    "description": "The image, and what runs it.",
    "properties": {
      "image": {"description": "The last part of the image's name."},
      "prefixes": {"description": "What may stand in front of it; without any: everything."},
      "podExecutor": {
        "description": "A container.",
        "properties": {
          "tags": {"$like": "tags"},
          "timeToLive": {"description": "Of Porch's pods; not used: a container lives for one call."},
          "maxParallelExecutions": {"description": "Of Porch's pods; not used."},
          "preferredMaxQueueLength": {"description": "Of Porch's pods; not used."},
          "templateOverrides": {"description": "Of Porch's pods; not used."}}},
      "binaryExecutor": {
        "description": "A program on the machine; who writes this needs the right to use localprograms.",
        "properties": {
          "tags": {"$like": "tags"},
          "path": {"description": "Path of the program."}}},
      "goExecutor": {
        "description": "A function that is built in.",
        "properties": {
          "tags": {"$like": "tags"},
          "id": {"description": "Its name; empty: the image's."}}},
      "grpcExecutor": {
        "description": "A function runner elsewhere.",
        "properties": {
          "tags": {"$like": "tags"},
          "address": {"description": "HOST:PORT."}}}}}}})";

constexpr std::string_view kOldVariantSet = R"({
"description": "The first version of PackageVariantSets: converted to v1alpha2 when it is written.",
"type": "object",
"properties": {
  "apiVersion": {"type": "string"},
  "kind": {"type": "string"},
  "metadata": {"type": "object"},
  "spec": {
    "description": "The package, and where variants of it are wanted.",
    "type": "object",
    "properties": {
      "adoptionPolicy": {"$like": "adoptionPolicy", "type": "string"},
      "deletionPolicy": {"$like": "deletionPolicy", "type": "string"},
      "labels": {"$like": "labels", "type": "object", "additionalProperties": {"type": "string"}},
      "annotations": {"$like": "annotations", "type": "object",
                      "additionalProperties": {"type": "string"}},
      "upstream": {
        "description": "The package that all variants follow.",
        "type": "object",
        "properties": {
          "package": {"$like": "oldPackage"},
          "ref": {"description": "Not supported.", "type": "string"},
          "revision": {"description": "The published revision: v1 or 1.",
                       "x-kubernetes-int-or-string": true}}},
      "targets": {
        "description": "Where variants are wanted.",
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "objects": {"description": "Any objects by label: one variant for each.",
                        "type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "package": {"$like": "oldPackage"},
            "packageName": {"description": "How the package of a target is called.",
                            "type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "repositories": {"description": "Repositories by label.", "type": "object",
                             "x-kubernetes-preserve-unknown-fields": true}}}}}},
  "status": {"description": "As in v1alpha2.", "type": "object",
             "x-kubernetes-preserve-unknown-fields": true}}})";

constexpr std::string_view kPackageRev = R"({
"description": "What is kept of a package revision beside git. Written by the server alone: what else is written is taken back.",
"type": "object",
"properties": {
  "apiVersion": {"type": "string"},
  "kind": {"type": "string"},
  "metadata": {"type": "object"},
  "spec": {"description": "What people set: lifecycle and metadata.", "type": "object",
           "x-kubernetes-preserve-unknown-fields": true},
  "status": {"description": "What git says of it.", "type": "object",
             "x-kubernetes-preserve-unknown-fields": true}}})";

}  // namespace

const Value& repository_facets() {
  static const Value kFacets = facets_from(kRepository);
  return kFacets;
}
const Value& variant_facets() {
  static const Value kFacets = facets_from(kVariant);
  return kFacets;
}
const Value& variant_set_facets() {
  static const Value kFacets = facets_from(kVariantSet);
  return kFacets;
}
const Value& function_config_facets() {
  static const Value kFacets = facets_from(kFunctionConfig);
  return kFacets;
}
const Value& old_variant_set_schema() {
  static const Value kSchema = facets_from(kOldVariantSet);
  return kSchema;
}
const Value& package_rev_schema() {
  static const Value kSchema = facets_from(kPackageRev);
  return kSchema;
}

}  // namespace portico::kinds::internal
