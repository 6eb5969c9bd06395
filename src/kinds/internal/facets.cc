#include "kinds/internal/facets.h"

#include "kinds/internal/facet_text.h"

namespace portico::kinds::internal {
namespace {

using json::Value;

constexpr std::string_view kRepository = R"({
"description": "A registered git repository that holds packages.",
"properties": {
  "spec": {
    "description": "Location of the packages, and how they are used.",
    "properties": {
      "content": {
        "description": "Deprecated and ignored: every repository holds packages.",
        "default": "Package",
        "x-kubernetes-validations": [
          {"rule": "self == '' || self == 'Package'",
           "message": "The 'content' field is deprecated, its only valid value is 'Package'"}]},
      "deployment": {"description": "True if the published packages of this repository are deployed to clusters."},
      "description": {"description": "Human-readable description."},
      "type": {"description": "Type of the repository. Only git is supported."},
      "sync": {
        "description": "When the repository is polled for changes.",
        "properties": {
          "runOnceAt": {"description": "Poll once, at this time.", "format": "date-time"},
          "schedule": {"description": "Poll on this cron schedule: minute, hour, day of month, month, day of week."}}},
      "git": {
        "description": "The git repository.",
        "required": ["repo"],
        "properties": {
          "repo": {"description": "URL or path."},
          "branch": {"description": "Branch to which packages are published.",
                     "default": "main", "minLength": 1},
          "createBranch": {"description": "Create the branch if it does not exist."},
          "directory": {"description": "Folder of the repository that contains the packages."},
          "drafts": {"description": "Where drafts are kept: push (as branches of the repository) or local (only in Portico's mirror)."},
          "author": {"description": "Author of all commits. Default: the user who makes the change."},
          "email": {"description": "E-mail address of the author."},
          "secretRef": {"description": "Secret with the credentials of the repository.", "required": ["name"],
                        "properties": {"name": {"description": "Name of the Secret, in the namespace of the Repository."}}}}},
      "oci": {
        "description": "Not supported: packages are kept in git.",
        "required": ["registry"],
        "properties": {
          "registry": {"description": "Address of the registry."},
          "secretRef": {"description": "Secret with the credentials of the repository.", "required": ["name"],
                        "properties": {"name": {"description": "Name of the Secret."}}}}}}},
  "status": {
    "description": "Result of the last synchronization.",
    "properties": {
      "lastFullSyncTime": {"description": "Time of the last synchronization.", "format": "date-time"},
      "nextFullSyncTime": {"description": "Time of the next synchronization.", "format": "date-time"},
      "observedRunOnceAt": {"description": "The spec.sync.runOnceAt that was last carried out.",
                            "format": "date-time"},
      "packageCount": {"description": "Number of packages in the repository."},
      "gitCommitHash": {"description": "Commit of the branch at the last synchronization."},
      "conditions": {"$like": "conditions"},
      "observedGeneration": {"$like": "observedGeneration"},
      "retry": {"$like": "retry"}}}}})";

constexpr std::string_view kVariant = R"({
"description": "A downstream package that is created from an upstream package and kept up to date with it.",
"required": ["spec"],
"properties": {
  "spec": {
    "description": "The upstream and downstream packages, and the changes that are made to the downstream.",
    "required": ["upstream", "downstream"],
    "properties": {
      "upstream": {"$like": "upstream", "description": "The upstream package."},
      "downstream": {"description": "The downstream package.",
                     "required": ["repo", "package"],
                     "properties": {
                       "repo": {"description": "Name of the Repository."},
                       "package": {"description": "Path of the package below the directory of the repository."}}},
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
    "description": "Observed state of the variant.",
    "properties": {
      "upstream": {
        "description": "The upstream package revision that was resolved.",
        "properties": {
          "packageRevision": {"description": "Name of the PackageRevision."},
          "revision": {"description": "Revision number; -1 is the head of a branch."},
          "commit": {"description": "Commit of the revision."}}},
      "downstreamTargets": {
        "description": "The package revisions that the variant manages.",
        "items": {"properties": {
          "name": {"description": "Name of the PackageRevision."},
          "lifecycle": {"description": "Lifecycle: Draft, Proposed, Published or DeletionProposed."},
          "revision": {"description": "Revision number; 0 if it is not published."},
          "renderStatus": {"description": "Results of the function pipeline."},
          "inputsHash": {"description": "Digest of the inputs of the build. A package is built again only if it changes."},
          "since": {"description": "Time since which an approval policy has been waiting."},
          "tree": {"description": "Content for which the policy is waiting: the git tree id."}}}},
      "unchanged": {
        "description": "A revision that is not a target, and that was found to need no change.",
        "properties": {
          "name": {"description": "Name of the PackageRevision."},
          "tree": {"description": "Content of the revision: the git tree id."},
          "inputsHash": {"description": "Digest of the inputs it was compared with."}}},
      "injected": {
        "description": "Objects that were injected, and objects that are missing.",
        "items": {"properties": {
          "apiVersion": {"description": "API group and version of the object."},
          "kind": {"description": "Kind of the object."},
          "name": {"description": "Name of the object."},
          "uid": {"description": "UID of the object; empty if it was not found."}}}},
      "mergeConflicts": {
        "description": "Fields that both the upstream and the downstream had changed.",
        "items": {"properties": {
          "path": {"description": "File of the package."},
          "object": {"description": "Resource in the file."},
          "field": {"description": "Path of the field."},
          "base": {"description": "Original value as JSON; empty if there was none. Long values are truncated."},
          "ours": {"description": "Value in the downstream package, as JSON."},
          "theirs": {"description": "Value in the upstream package, as JSON."},
          "taken": {"description": "Which value was taken: ours or theirs."},
          "rule": {"description": "The merge rule that found the conflict."}}}},
      "conditions": {"$like": "conditions"},
      "observedGeneration": {"$like": "observedGeneration"},
      "retry": {"$like": "retry"}}}}})";

constexpr std::string_view kVariantSet = R"({
"description": "Creates a PackageVariant of an upstream package for each of its targets.",
"required": ["spec"],
"properties": {
  "spec": {
    "description": "The upstream package, the targets, and the template of the variants.",
    "required": ["upstream", "targets"],
    "properties": {
      "upstream": {"$like": "upstream", "description": "The upstream package of all variants."},
      "deletionGuard": {"description": "Whether the deletion of many variants at once waits for confirmation.",
                        "enum": ["", "on", "off"]},
      "targets": {
        "description": "The targets: each yields variants.",
        "items": {
          "properties": {
            "repositories": {"description": "Repositories, selected by name.",
                             "items": {
                               "required": ["name"],
                               "properties": {
                                 "name": {"description": "Name of the Repository."},
                                 "packageNames": {"$like": "packageNames"}}}},
            "repositorySelector": {"$like": "labelSelector",
                                   "description": "Repositories, selected by label.",
                                   "properties": {"packageNames": {"$like": "packageNames"}},
                                   "x-kubernetes-map-type": "atomic"},
            "objectSelector": {"$like": "labelSelector",
                               "description": "Objects of any kind, selected by label; each yields a variant.",
                               "properties": {
                                 "apiVersion": {"description": "Group and version of the objects."},
                                 "kind": {"description": "Kind of the objects."},
                                 "name": {"description": "Name of one object; empty selects any."},
                                 "packageNames": {"$like": "packageNames"}},
                               "x-kubernetes-map-type": "atomic"},
            "packageNames": {"$like": "packageNames"},
            "template": {
              "description": "Template of the variants.",
              "properties": {
                "downstream": {
                  "description": "The downstream package. Default: the repository and package name of the target.",
                  "properties": {
                    "repo": {"description": "Name of the Repository."},
                    "repoExpr": {"description": "CEL expression that is evaluated to the value of repo."},
                    "package": {"description": "Path of the package below the directory of the repository."},
                    "packageExpr": {"description": "CEL expression that is evaluated to the value of package."}}},
                "adoptionPolicy": {"$like": "adoptionPolicy", "enum": ["adoptNone", "adoptExisting"]},
                "deletionPolicy": {"$like": "deletionPolicy", "enum": ["delete", "orphan"]},
                "upgradeStrategy": {"$like": "upgradeStrategy"},
                "onConflict": {"$like": "onConflict"},
                "labels": {"$like": "labels"},
                "labelExprs": {"$like": "expressions",
                               "description": "Additional labels, given by CEL expressions."},
                "annotations": {"$like": "annotations"},
                "annotationExprs": {"$like": "expressions",
                                    "description": "Additional annotations, given by CEL expressions."},
                "packageContext": {
                  "$like": "packageContext",
                  "properties": {
                    "dataExprs": {"$like": "expressions",
                                  "description": "Additional keys to set, given by CEL expressions."},
                    "removeKeyExprs": {"description": "Additional keys to remove, given by CEL expressions."}}},
                "pipeline": {
                  "$like": "pipeline",
                  "properties": {
                    "mutators": {"items": {"properties": {
                      "configMapExprs": {"$like": "expressions",
                                         "description": "Additional entries of configMap, given by CEL expressions."}}}},
                    "validators": {"items": {"properties": {
                      "configMapExprs": {"$like": "expressions",
                                         "description": "Additional entries of configMap, given by CEL expressions."}}}}}},
                "approval": {"$like": "approval"},
                "injectors": {
                  "description": "Objects whose spec is copied into the package.",
                  "items": {"$like": "injector",
                            "properties": {
                              "nameExpr": {"description": "CEL expression that is evaluated to the value of name."}}}}}}}}}}},
  "status": {
    "description": "Observed state of the set.",
    "properties": {
      "targets": {
        "description": "Number of variants, by state.",
        "properties": {
          "desired": {"description": "Number of variants that the targets ask for."},
          "ready": {"description": "Number of variants that are Ready."},
          "waiting": {"description": "Number of variants that are not Ready yet."},
          "failed": {"description": "Number of variants that fail."}}},
      "failures": {
        "description": "The first 20 failing variants.",
        "items": {"properties": {
          "repo": {"description": "Repository of the downstream package."},
          "package": {"description": "Downstream package."},
          "message": {"description": "Error message."}}}},
      "conditions": {"$like": "conditions"},
      "observedGeneration": {"$like": "observedGeneration"},
      "retry": {"$like": "retry"}}}}})";

constexpr std::string_view kFunctionConfig = R"({
"description": "Configures how the functions of an image are run.",
"properties": {
  "status": {"description": "Used by Porch; ignored."},
  "spec": {
    "description": "The image, and the executor that runs it.",
    "properties": {
      "image": {"description": "Last part of the image name."},
      "prefixes": {"description": "Image name prefixes to which this applies. Default: any."},
      "podExecutor": {
        "description": "Run the image as a container.",
        "properties": {
          "tags": {"$like": "tags"},
          "timeToLive": {"description": "Used by Porch's pod executor; ignored: a container runs for one call."},
          "maxParallelExecutions": {"description": "Used by Porch's pod executor; ignored."},
          "preferredMaxQueueLength": {"description": "Used by Porch's pod executor; ignored."},
          "templateOverrides": {"description": "Used by Porch's pod executor; ignored."}}},
      "binaryExecutor": {
        "description": "Run a program of the machine. Writers of this field need the permission to use localprograms.",
        "properties": {
          "tags": {"$like": "tags"},
          "path": {"description": "Path of the program."}}},
      "goExecutor": {
        "description": "Run a built-in function.",
        "properties": {
          "tags": {"$like": "tags"},
          "id": {"description": "Name of the built-in function. Default: the name of the image."}}},
      "grpcExecutor": {
        "description": "Call a remote function runner.",
        "properties": {
          "tags": {"$like": "tags"},
          "address": {"description": "Address of the function runner, as HOST:PORT."}}}}}}})";

constexpr std::string_view kOldVariantSet = R"({
"description": "First version of PackageVariantSet. Objects are converted to v1alpha2 when they are written.",
"type": "object",
"properties": {
  "apiVersion": {"type": "string"},
  "kind": {"type": "string"},
  "metadata": {"type": "object"},
  "spec": {
    "description": "The upstream package and the targets.",
    "type": "object",
    "properties": {
      "adoptionPolicy": {"$like": "adoptionPolicy", "type": "string"},
      "deletionPolicy": {"$like": "deletionPolicy", "type": "string"},
      "labels": {"$like": "labels", "type": "object", "additionalProperties": {"type": "string"}},
      "annotations": {"$like": "annotations", "type": "object",
                      "additionalProperties": {"type": "string"}},
      "upstream": {
        "description": "The upstream package of all variants.",
        "type": "object",
        "properties": {
          "package": {"$like": "oldPackage"},
          "ref": {"description": "Not supported.", "type": "string"},
          "revision": {"description": "Published revision: v1 or 1.",
                       "x-kubernetes-int-or-string": true}}},
      "targets": {
        "description": "The targets: each yields variants.",
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "objects": {"description": "Objects of any kind, selected by label; each yields a variant.",
                        "type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "package": {"$like": "oldPackage"},
            "packageName": {"description": "Name of the downstream package of a target.",
                            "type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "repositories": {"description": "Repositories, selected by label.", "type": "object",
                             "x-kubernetes-preserve-unknown-fields": true}}}}}},
  "status": {"description": "As in v1alpha2.", "type": "object",
             "x-kubernetes-preserve-unknown-fields": true}}})";

constexpr std::string_view kPackageRev = R"({
"description": "State of a package revision that is not in git. Only the server writes it; other changes are reverted.",
"type": "object",
"properties": {
  "apiVersion": {"type": "string"},
  "kind": {"type": "string"},
  "metadata": {"type": "object"},
  "spec": {"description": "State set by users: lifecycle and metadata.", "type": "object",
           "x-kubernetes-preserve-unknown-fields": true},
  "status": {"description": "State read from git.", "type": "object",
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
