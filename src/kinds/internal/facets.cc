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
        "properties": {"runOnceAt": {"format": "date-time"}}},
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
          "secretRef": {"description": "The Secret that authenticates.", "required": ["name"]}}},
      "oci": {
        "required": ["registry"],
        "properties": {"secretRef": {"required": ["name"]}}}}},
  "status": {
    "description": "What was found when it was read last.",
    "properties": {
      "lastFullSyncTime": {"format": "date-time"},
      "nextFullSyncTime": {"format": "date-time"},
      "observedRunOnceAt": {"format": "date-time"},
      "retry": {
        "description": "Failures in a row, and when the next try is due; written rarely."}}}}})";

constexpr std::string_view kVariant = R"({
"description": "A package that is kept up to date with another one, its upstream.",
"required": ["spec"],
"properties": {
  "spec": {
    "description": "The two packages, and what is changed on the way.",
    "required": ["upstream", "downstream"],
    "properties": {
      "upstream": {"description": "The package that is followed.",
                   "required": ["repo", "package"]},
      "downstream": {"description": "The package that is made and kept.",
                     "required": ["repo", "package"]},
      "adoptionPolicy": {
        "description": "Whether a package that is there is taken over; empty: adoptNone.",
        "enum": ["", "adoptNone", "adoptExisting"]},
      "deletionPolicy": {
        "description": "What becomes of the package when the variant is deleted; empty: delete.",
        "enum": ["", "delete", "orphan"]},
      "upgradeStrategy": {
        "description": "How a new upstream revision is taken in; empty: resource-merge.",
        "enum": ["", "resource-merge", "fast-forward", "force-delete-replace", "copy-merge"]},
      "onConflict": {
        "description": "What is taken where both sides changed a field; empty: takeUpstream.",
        "enum": ["", "takeUpstream", "keepLocal", "fail"]},
      "labels": {"description": "Labels of the package revisions."},
      "annotations": {"description": "Annotations of the package revisions."},
      "packageContext": {"description": "Data of the ConfigMap kptfile.kpt.dev in the package."},
      "pipeline": {"description": "Functions that are added to the package's own."},
      "injectors": {"description": "Objects whose spec is copied into the package.",
                    "items": {"required": ["name"]}}}},
  "status": {
    "description": "What was done last, and what is missing.",
    "properties": {
      "retry": {
        "description": "Failures in a row, and when the next try is due; written rarely."}}}}})";

constexpr std::string_view kVariantSet = R"({
"description": "One package for many targets: makes a PackageVariant for each of them.",
"required": ["spec"],
"properties": {
  "spec": {
    "required": ["upstream", "targets"],
    "properties": {
      "upstream": {"description": "The package that all variants follow.",
                   "required": ["repo", "package"]},
      "deletionGuard": {"description": "Whether deletions of many variants wait for a yes.",
                        "enum": ["", "on", "off"]},
      "targets": {
        "description": "Where variants are wanted.",
        "items": {
          "properties": {
            "repositories": {"description": "Repositories by name.",
                             "items": {"required": ["name"]}},
            "repositorySelector": {"description": "Repositories by label.",
                                   "x-kubernetes-map-type": "atomic"},
            "objectSelector": {"description": "Any objects by label: one variant for each.",
                               "x-kubernetes-map-type": "atomic"},
            "template": {
              "description": "What the variants look like.",
              "properties": {
                "adoptionPolicy": {"enum": ["adoptNone", "adoptExisting"]},
                "deletionPolicy": {"enum": ["delete", "orphan"]},
                "upgradeStrategy": {"enum": ["", "resource-merge", "fast-forward",
                                             "force-delete-replace", "copy-merge"]},
                "onConflict": {"enum": ["", "takeUpstream", "keepLocal", "fail"]}}}}}}}},
  "status": {
    "description": "How many variants there are, and how they are.",
    "properties": {
      "retry": {
        "description": "Failures in a row, and when the next try is due; written rarely."}}}}})";

constexpr std::string_view kFunctionConfig = R"({
"description": "What runs the functions of one image.",
"properties": {
  "spec": {
    "properties": {
      "image": {"description": "The last part of the image's name."},
      "prefixes": {"description": "What may stand in front of it; without any: everything."},
      "podExecutor": {"description": "A container."},
      "binaryExecutor": {"description": "A program on the machine."},
      "goExecutor": {"description": "A function that is built in."},
      "grpcExecutor": {"description": "A function runner elsewhere."}}}}})";

constexpr std::string_view kOldVariantSet = R"({
"description": "The first version of PackageVariantSets: converted to v1alpha2 when it is written.",
"type": "object",
"properties": {
  "apiVersion": {"type": "string"},
  "kind": {"type": "string"},
  "metadata": {"type": "object"},
  "spec": {
    "type": "object",
    "properties": {
      "adoptionPolicy": {"type": "string"},
      "deletionPolicy": {"type": "string"},
      "labels": {"type": "object", "additionalProperties": {"type": "string"}},
      "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
      "upstream": {
        "type": "object",
        "properties": {
          "package": {"type": "object",
                      "properties": {"name": {"type": "string"}, "repo": {"type": "string"}}},
          "ref": {"type": "string"},
          "revision": {"x-kubernetes-int-or-string": true}}},
      "targets": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "objects": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "package": {"type": "object",
                        "properties": {"name": {"type": "string"}, "repo": {"type": "string"}}},
            "packageName": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "repositories": {"type": "object",
                             "x-kubernetes-preserve-unknown-fields": true}}}}}},
  "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}})";

constexpr std::string_view kPackageRev = R"({
"description": "What is kept of a package revision beside git. Written by the server alone: what else is written is taken back.",
"type": "object",
"properties": {
  "apiVersion": {"type": "string"},
  "kind": {"type": "string"},
  "metadata": {"type": "object"},
  "spec": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
  "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}})";

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
