#include "kinds/internal/facet_text.h"
#include "kinds/internal/facets.h"

namespace portico::kinds::internal {
namespace {

using json::Value;

constexpr std::string_view kRevision = R"({
"description": "One revision of a package: a draft, a proposal or a published revision.",
"properties": {
  "spec": {
    "description": "Package, repository and lifecycle of the revision.",
    "properties": {
      "packageName": {"description": "Path of the package below the directory of the repository."},
      "repository": {"description": "Name of the Repository that contains it."},
      "workspaceName": {"description": "Workspace name: identifies the revision among those of the package, also before it is published."},
      "revision": {"description": "Revision number; 0 if it is not published, -1 for the head of a branch."},
      "parent": {"$like": "revisionRef", "description": "Package revision of the parent package."},
      "lifecycle": {
        "description": "Draft, Proposed, Published or DeletionProposed. Set Published through the subresource approval.",
        "enum": ["Draft", "Proposed", "Published", "DeletionProposed"]},
      "packageMetadata": {
        "description": "Labels and annotations of the Kptfile; can be changed in drafts.",
        "properties": {
          "labels": {"description": "Labels of the Kptfile."},
          "annotations": {"description": "Annotations of the Kptfile."}}},
      "readinessGates": {
        "description": "Conditions that must be True before the revision can be published.",
        "items": {
          "properties": {
            "conditionType": {"description": "Type of a condition in status.conditions."}}}},
      "tasks": {
        "description": "How the revision is created: exactly one task.",
        "items": {
          "properties": {
            "type": {"description": "Task type: init, clone, edit or upgrade. The field of the same name holds its parameters."},
            "init": {
              "description": "Create a new package.",
              "properties": {
                "description": {"description": "Description of the package."},
                "keywords": {"description": "Keywords of the package."},
                "site": {"description": "Web site of the package."},
                "subpackage": {"description": "Folder of a subpackage; empty for the package itself."}}},
            "clone": {
              "description": "Clone another package, which becomes the upstream.",
              "properties": {
                "strategy": {"description": "Default merge strategy of later upgrades."},
                "upstreamRef": {
                  "description": "The package to clone.",
                  "properties": {
                    "type": {"description": "git, or empty if upstreamRef is set."},
                    "git": {
                      "description": "A package in a git repository.",
                      "properties": {
                        "repo": {"description": "URL of the repository."},
                        "ref": {"description": "Branch, tag or commit."},
                        "directory": {"description": "Folder of the package."},
                        "secretRef": {"description": "Secret with the credentials. Writers of this field need the permission to get the Secret.",
                                      "properties": {"name": {"description": "Name of the Secret."}}}}},
                    "oci": {"description": "Not supported.",
                            "properties": {"image": {"description": "Name of the image."}}},
                    "upstreamRef": {"$like": "revisionRef",
                                    "description": "Package revision in the same namespace."}}}}},
            "edit": {
              "description": "Copy an earlier revision of the same package.",
              "properties": {"sourceRef": {"$like": "revisionRef", "description": "The package revision."}}},
            "upgrade": {
              "description": "Merge an earlier revision with a newer upstream revision.",
              "properties": {
                "localPackageRevisionRef": {"$like": "revisionRef", "description": "The package revision to upgrade."},
                "oldUpstreamRef": {"$like": "revisionRef", "description": "The upstream revision that it is based on."},
                "newUpstreamRef": {"$like": "revisionRef", "description": "The upstream revision to upgrade to."},
                "strategy": {"description": "Merge strategy."}}}}}}}},
  "status": {
    "description": "State read from git.",
    "properties": {
      "upstreamLock": {"$like": "lock", "description": "Upstream that the content came from, with its commit."},
      "selfLock": {"$like": "lock", "description": "Location of the revision itself, with its commit."},
      "publishedBy": {"description": "User who published it."},
      "publishTimestamp": {"description": "Time at which it was published.", "format": "date-time"},
      "deployment": {"description": "True if the packages of its repository are deployed to clusters."},
      "conditions": {"$like": "conditions", "description": "Conditions of the Kptfile."},
      "pristine": {
        "description": "Latest build by the variant in its history, without edits by users.",
        "properties": {
          "commit": {"description": "Commit id."},
          "tree": {"description": "Content: the git tree id."},
          "inputs": {"description": "Digest of the inputs of the build."}}},
      "base": {
        "description": "For a draft or proposal: state of the branch from which it was created.",
        "properties": {
          "commit": {"description": "Commit id."},
          "tree": {"description": "Content: the git tree id; empty if the package did not exist."}}},
      "drift": {
        "description": "For a branch head: commits that were made after the last published revision.",
        "properties": {
          "since": {"description": "The last published revision before the commits; empty if there is none."},
          "commits": {"description": "The commits, newest first, each with author and subject."},
          "files": {"description": "Files that differ from the published revision."}}},
      "proposal": {
        "description": "The proposal: who made it, and when.",
        "properties": {
          "by": {"description": "User who proposed it."},
          "at": {"description": "Time of the proposal."},
          "decision": {"description": "The decision and its reason, if a controller proposed it."}}},
      "rejection": {
        "description": "The last rejection: who rejected the proposal, and when.",
        "properties": {
          "by": {"description": "User who rejected it."},
          "at": {"description": "Time of the proposal."},
          "tree": {"description": "Content that was rejected: the git tree id."}}},
      "pin": {
        "description": "Set if the package was rolled back to this revision. The variant waits for the next upstream revision.",
        "properties": {
          "upstream": {"description": "Digest of the upstream at the time of the rollback."},
          "inputs": {"description": "Digest of the inputs of the variant at the time of the rollback."},
          "to": {"description": "The revision whose content was restored, such as v3."}}}}}}})";

constexpr std::string_view kResources = R"({
"description": "The files of a package revision.",
"properties": {
  "spec": {
    "description": "The revision and its files.",
    "properties": {
      "packageName": {"description": "Path of the package below the directory of the repository."},
      "repository": {"description": "Name of the Repository that contains it."},
      "workspaceName": {"description": "Workspace name: identifies the revision among those of the package, also before it is published."},
      "revision": {"description": "Revision number; 0 if it is not published, -1 for the head of a branch."},
      "resources": {
        "description": "Content of each file, by path. Files that are not UTF-8 text are left out."}}},
  "status": {
    "description": "Result of the last update.",
    "properties": {
      "renderStatus": {
        "description": "Results of the function pipeline.",
        "properties": {
          "result": {"description": "FunctionResultList, as written by kpt."},
          "error": {"description": "Render error; empty if the package was rendered."}}}}}}})";

constexpr std::string_view kPackage = R"({
"description": "A package. Computed from its package revisions.",
"properties": {
  "spec": {
    "description": "Name and repository of the package.",
    "properties": {
      "packageName": {"description": "Path of the package below the directory of the repository."},
      "repository": {"description": "Name of the Repository that contains it."}}},
  "status": {
    "description": "Observed state of the package.",
    "properties": {"latestRevision": {"description": "Number of the latest published revision."}}}}})";

}  // namespace

const Value& revision_facets() {
  static const Value kFacets = facets_from(kRevision);
  return kFacets;
}
const Value& resources_facets() {
  static const Value kFacets = facets_from(kResources);
  return kFacets;
}
const Value& package_facets() {
  static const Value kFacets = facets_from(kPackage);
  return kFacets;
}

}  // namespace portico::kinds::internal
